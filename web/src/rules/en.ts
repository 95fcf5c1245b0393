import type { Facts } from "./facts.ts";
import { type Chapter, inOrder, type RulesText, type Section, type TurnChoice } from "./text.ts";

function choices({ rules, stations }: Facts): TurnChoice[] {
  return [
    { id: "cards", title: "Take train cards", text: "Two of them, face up or from the deck." },
    { id: "claim", title: "Claim a route", text: "Pay its cards, lay your trains, score at once." },
    {
      id: "tickets",
      title: "Take tickets",
      text: `Look at ${rules.draw_tickets}, keep at least ${rules.draw_keep}.`,
    },
    ...(stations
      ? [{ id: "stations" as const, title: "Build a station", text: "Use one route of somebody else." }]
      : []),
  ];
}

function sections(facts: Facts): Section[] {
  const { rules: r } = facts;
  const first = r.cards[0] ?? 0;
  const wild = r.cards.at(-1) ?? 0;
  const all = r.cards.reduce((sum, n) => sum + n, 0);
  const goesBack = {
    bottom: "The others go under the ticket deck.",
    shuffled: "The others are shuffled together and go under the ticket deck.",
    out: "The others leave the game, unseen.",
  }[r.setup_return];
  const dealt = facts.longTickets
    ? `${r.setup_tickets} tickets and ${r.setup_long} long one`
    : `${r.setup_tickets} tickets`;

  const goal: Chapter = {
    title: "What it is about",
    text: [
      "You claim railway routes between cities, and each brings points at once. You also hold secret tickets, " +
        "each naming two cities: join them with your own trains, and you score the ticket; leave them apart, " +
        "and you lose as many points.",
    ],
  };
  const start: Chapter = {
    title: "Before the first turn",
    text: [],
    points: [
      `Everybody gets ${r.trains} trains and ${r.hand} train cards` +
        (facts.stations
          ? `, and ${r.stations} stations.`
          : facts.markers
            ? `, and ${r.markers} city markers.`
            : "."),
      `${r.row} train cards lie face up; the rest are the deck.`,
      `Everybody looks at ${dealt} and keeps at least ${r.setup_keep}. All choose at the same time, ` +
        `and only how many you kept is known. ${goesBack ?? ""}`,
      ...(facts.markers
        ? [
            "Then everybody puts a marker on a free city, the starting city. The last player begins with that, " +
              "and the one who plays first is the last to choose.",
          ]
        : []),
      "Chance decides who begins, unless the table was made otherwise. Play goes round clockwise.",
    ],
  };
  const turn: Chapter = { title: "Your turn", text: ["In your turn you do exactly one of these things:"] };
  const cards: Chapter = {
    title: "Taking train cards",
    text: [
      `There are ${all} of them: ${first} in each of eight colours, and ${wild} locomotives, which stand in for any colour.`,
    ],
    points: [
      "You take two cards, one after the other, from those that lie face up or from the top of the deck.",
      "A card you take from the row is replaced before you take the second.",
      "A locomotive that lies face up counts for two: it can only be your first card, and then it is your only one.",
      "A locomotive you draw from the deck is just luck: take your second card.",
      `As soon as ${r.row_locomotives} locomotives lie face up, the whole row is exchanged.`,
      "Your hand may grow as large as you like. When the deck is used up, the played cards become the new one.",
    ],
  };
  const claim: Chapter = {
    title: "Claiming a route",
    text: [
      "Pay exactly as many cards as the route has spaces, all of its colour. A grey route takes any one colour. " +
        "Locomotives may stand in for some of the cards or for all; how many you spend is up to you.",
      facts.markers
        ? "One route a turn, the whole of it, and you need a train for each space. It must touch your network (see below)."
        : "One route a turn, the whole of it, anywhere on the map, and you need a train for each space.",
    ],
    figure: { name: "paying", caption: "A red route of 4, and three of the ways to pay for it." },
  };
  const points: Chapter = {
    title: "Points for routes",
    text: ["Long routes bring much more than several short ones."],
    figure: { name: "points", caption: "The points, by the length of the route." },
  };
  const double: Chapter = {
    title: "Double routes",
    text: [
      `Some cities are joined by two or more lanes side by side. Nobody may claim two lanes between the same cities. ` +
        `With fewer than ${r.parallel_from} players, only one of the lanes can be claimed at all; the others are closed after that.`,
    ],
    figure: {
      name: "double",
      caption: "Left: the second lane is closed. Right: it is open to another player.",
    },
  };
  const ferries: Chapter = {
    title: "Ferries",
    text: [
      "A ferry is a grey route over water with a wheel on some of its spaces. For each wheel, one of the cards " +
        "you pay must be a locomotive. The other spaces are paid as usual, in one colour.",
    ],
    figure: {
      name: "ferry",
      caption: "A ferry of 4 with two wheels: two locomotives, and two cards of one colour.",
    },
  };
  const tunnels: Chapter = {
    title: "Tunnels",
    text: [
      `Nobody knows how hard the rock is. You lay down the cards for the route, and then the top ${r.tunnel_cards} cards of the ` +
        "deck are revealed. For each one of the colour you laid, and for each locomotive, you pay one card more: " +
        "of that colour, or a locomotive.",
      "If you cannot, or would rather not, you take your cards back and your turn is over. The revealed cards are discarded in any case.",
      "If you laid nothing but locomotives, only revealed locomotives cost more, and each costs a locomotive. " +
        "The extra cards need no extra trains.",
    ],
    figure: {
      name: "tunnel",
      caption:
        "Two red cards are laid. Of the three revealed, the red one and the locomotive count: two more to pay.",
    },
  };
  const tickets: Chapter = {
    title: "Tickets",
    text: [
      "A ticket is completed when an unbroken line of your own trains joins its two cities, by whatever way. " +
        "It counts at the end of the game, and until then nobody else sees it.",
    ],
    points: [
      `As your whole turn, you may look at ${r.draw_tickets} new tickets. You keep at least ${r.draw_keep}; the rest go under the deck` +
        (r.return_order === "chosen" ? ", in the order you choose." : "."),
      "You can never give back a ticket you have kept.",
      facts.longTickets
        ? `The ${facts.longTickets} long tickets are dealt only at the start, one to each player.`
        : `There are ${facts.tickets} tickets in all.`,
    ],
  };
  const stations: Chapter = {
    title: "Stations",
    text: [
      "When others have closed your way, build a station in a city. At the end of the game it lets you use " +
        "one route of one other player that leads into that city, as if it were yours, for all your tickets.",
    ],
    points: [
      `The first station costs 1 card, the next 2 of one colour, the third 3 of one colour; you have ${r.stations}, and build one a turn.`,
      "There is room for one station in a city, and it never moves.",
      "Which route you use is settled at the end, in the way that is best for you. It does not count for the longest path.",
      `Each station you did not build brings ${r.station_points} points at the end.`,
    ],
    figure: {
      name: "station",
      caption: "Blue has a station in the middle: the red route completes blue's ticket from left to right.",
    },
  };
  const markers: Chapter = {
    title: "Cities of your own",
    text: [
      "Your first route must touch your starting city, and every later one a city that your trains reach already.",
      `After claiming a route you may put a city marker on one of its two cities, if no marker is there, for ` +
        `${r.marker_cards} cards of one colour. You have ${r.markers}, the one on your starting city included.`,
    ],
    points: [
      "A route with no marker of another player at its ends scores for whoever claimed it.",
      "If another player has a marker at an end, the route scores for the owners of the markers instead: for each end, its owner.",
      "Whoever owns both ends scores the route twice.",
      "A marker you place after claiming counts only for later routes.",
    ],
    figure: {
      name: "markers",
      caption: `Red claims a route of 4 into blue's city: the ${r.route_points[4] ?? 0} points are blue's.`,
    },
  };
  const alvin: Chapter = {
    title: "With Alvin",
    text: [
      `Alvin the alien waits in ${r.alvin_city}, where nobody may put a marker. It is a choice when a table is made.`,
    ],
    points: [
      `Whoever first claims a route to ${r.alvin_city} catches him: ${r.alvin_points} points at once, whoever scores the route.`,
      "Then Alvin goes to a city with a marker of his catcher, who chooses which.",
      `Whoever claims a route into the city where Alvin is with another player catches him in the same way.`,
      `Whoever has Alvin when the game ends scores ${r.alvin_points} more.`,
    ],
    figure: {
      name: "alvin",
      caption: `Red catches Alvin for ${r.alvin_points} points, and takes him to a city of red's own.`,
    },
  };
  const end: Chapter = {
    title: "The end",
    text: [
      `When somebody ends a turn with ${r.last_trains} trains or fewer, everybody has one more turn, that player too. Then it is counted:`,
    ],
    points: [
      "The points of the routes were scored during the game.",
      "Completed tickets add their points, the others take theirs away.",
      ...(facts.stations ? [`Every station not built: ${r.station_points} points.`] : []),
      ...(facts.longestPath
        ? [
            `The longest path: ${r.longest_points} points for the longest unbroken line of trains. It may pass a city again, ` +
              "but no route twice. All who tie get it.",
          ]
        : []),
      ...(facts.globetrotter
        ? [`The most completed tickets: ${r.globetrotter_points} points, to all who tie.`]
        : []),
      ...(facts.alvin ? [`Alvin: ${r.alvin_points} points for whoever has him.`] : []),
      `The most points win. If that is a tie, ${ties(r.tie_breaks)}; after that the victory is shared.`,
    ],
  };

  return inOrder(facts, {
    goal,
    start,
    turn,
    cards,
    claim,
    points,
    double,
    ferries,
    tunnels,
    tickets,
    stations,
    markers,
    alvin,
    end,
  });
}

const TIES: Record<string, string> = {
  tickets: "more completed tickets decide",
  stations: "fewer stations",
  "longest-path": "having the longest path",
};
const ties = (rules: readonly string[]): string => rules.map((rule) => TIES[rule] ?? rule).join(", then ");

const text: RulesText = {
  contents: "On this page",
  minute: "The game in a minute",
  inShort: [
    "Collect cards of one colour, pay them for a route of that colour, and lay your trains on it. Longer routes bring more points.",
    "Your secret tickets name pairs of cities. Join them with your trains before the end, or lose their points.",
    "Others want the same routes. Wait too long and they are gone; hurry, and you lack the cards for the long ones.",
    "When somebody has hardly any trains left, everybody has one more turn, and the most points win.",
  ],
  title: (edition) => `Rules: ${edition}`,
  choose: "The rules of every map",
  choices,
  sections,
  figures: {
    length: "Spaces",
    points: "Points",
    few: (least, most) => (least === most ? `${least} players` : `${least}–${most} players`),
    many: (least) => `${least} players or more`,
    laid: "Laid",
    revealed: "Revealed",
    extra: "To pay in addition",
    or: "or",
  },
};

export default text;
