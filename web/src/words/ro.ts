import board from "./ro/board.json";
import common from "./ro/common.json";
import dialogs from "./ro/dialogs.json";
import ending from "./ro/ending.json";
import events from "./ro/events.json";
import guide from "./ro/guide.json";
import help from "./ro/help.json";
import home from "./ro/home.json";
import invite from "./ro/invite.json";
import notices from "./ro/notices.json";
import presence from "./ro/presence.json";
import reasons from "./ro/reasons.json";
import puzzles from "./ro/puzzles.json";
import replay from "./ro/replay.json";
import review from "./ro/review.json";
import settings from "./ro/settings.json";
import statistics from "./ro/statistics.json";
import table from "./ro/table.json";

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
