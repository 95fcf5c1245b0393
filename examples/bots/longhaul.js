// A bot for Macaz in JavaScript: few tickets, long routes, and out of trains before the others.

const LOCOMOTIVE = 8;
let game, view, me, legal;

/** The routes that I could still claim, cards aside. */
function openRoutes() {
  const owned = new Set(view.seats.flatMap((seat) => seat.routes));
  const shared = game.seats >= game.rules.parallel_from;
  const ends = ({ a, b }) => `${a} ${b}`;
  const closed = new Set((shared ? me.routes : [...owned]).map((r) => ends(game.routes[r])));
  return game.routes.filter(
    (route, r) => !owned.has(r) && !closed.has(ends(route)) && route.length <= me.trains,
  );
}

/** How many cards are missing for a route, if it is to be paid with this colour. */
function missing(route, color) {
  if (route.color !== color && route.color >= 0) return Infinity;
  return Math.max(0, route.length - me.hand[color] - me.hand[LOCOMOTIVE]);
}

/** The value of a move; moves not named here are worth 0. */
function value(move, longest) {
  const route = game.routes[move.route];
  const late = view.last_turns > 0 || view.seats.some((seat) => seat.trains < 8);
  switch (move.type) {
    case "choose":
    case "keep":
      return -move.tickets.reduce((sum, t) => sum + game.tickets[t].points, 0);
    case "start":
      return game.routes.filter(({ a, b }) => a === move.city || b === move.city).length;
    case "claim": // only long ones, while there is time; locomotives are for the longest
      if (route.length < Math.min(4, longest) && !late) return -1;
      return 10 + game.rules.route_points[route.length] - move.locomotives;
    case "take": { // what brings a long route nearest
      if (move.color === LOCOMOTIVE) return 2;
      const goals = openRoutes().filter(({ length }) => length >= Math.min(5, longest));
      return 6 - Math.min(...goals.map((goal) => missing(goal, move.color)), 5);
    }
    case "blind":
      return 3;
    case "pay-tunnel":
      return 9 - move.locomotives;
    case "draw-tickets":
    case "station":
    case "mark":
      return -5;
    default:
      return 0;
  }
}

function decide() {
  const longest = Math.max(0, ...openRoutes().map((route) => route.length));
  const values = legal.map((move) => value(move, longest));
  return legal[values.indexOf(Math.max(...values))].action;
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const [word, rest] = [line.split(" ", 1)[0], line.slice(line.indexOf(" ") + 1)];
    if (word === "macaz") {
      console.log('bot {"name": "Longhaul", "author": "Macaz examples", "protocol": 2}');
    } else if (word === "newgame") {
      game = JSON.parse(rest);
      console.log("ready");
    } else if (word === "position") {
      ({ view, legal } = JSON.parse(rest));
      me = view.seats[game.seat];
    } else if (word === "go") {
      console.log(`move ${decide()}`);
    } else if (word === "quit") {
      process.exit(0);
    }
  });
