import board from "./en/board.json";
import common from "./en/common.json";
import dialogs from "./en/dialogs.json";
import ending from "./en/ending.json";
import events from "./en/events.json";
import guide from "./en/guide.json";
import help from "./en/help.json";
import home from "./en/home.json";
import invite from "./en/invite.json";
import notices from "./en/notices.json";
import presence from "./en/presence.json";
import reasons from "./en/reasons.json";
import puzzles from "./en/puzzles.json";
import replay from "./en/replay.json";
import review from "./en/review.json";
import settings from "./en/settings.json";
import statistics from "./en/statistics.json";
import table from "./en/table.json";

export default {
  ...board,
  ...common,
  ...dialogs,
  ...ending,
  ...events,
  ...guide,
  ...help,
  ...home,
  ...invite,
  ...notices,
  ...presence,
  ...reasons,
  ...puzzles,
  ...replay,
  ...review,
  ...settings,
  ...statistics,
  ...table,
};
