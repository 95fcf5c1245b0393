// A schematic map: cities where they lie on Earth, routes as lines between them.

import { svg } from "./dom.js";

const WIDTH = 1000;
const EDGE = 55;
const LANE = 13; // between the lanes of a double route

/** Where the cities are drawn: equirectangular, fitted. */
function places(cities) {
  const range = (values) => [Math.min(...values), Math.max(...values)];
  const [west, east] = range(cities.map((city) => city.lon));
  const [south, north] = range(cities.map((city) => city.lat));
  const narrow = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = (WIDTH - 2 * EDGE) / ((east - west) * narrow || 1);
  const at = ({ lon, lat }) => [EDGE + (lon - west) * narrow * scale, EDGE + (north - lat) * scale];
  return { at: cities.map(at), height: 2 * EDGE + (north - south) * scale };
}

/** The ends of a lane: beside its sisters, and short of the cities. */
function ends(route, lanes, at) {
  const [[ax, ay], [bx, by]] = [at[route.a], at[route.b]];
  const [dx, dy] = [bx - ax, by - ay];
  const long = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / long, dy / long];
  const aside = (route.lane - (lanes - 1) / 2) * LANE;
  const short = Math.min(9, long / 6);
  const [ox, oy] = [-uy * aside, ux * aside];
  return { x1: ax + ux * short + ox, y1: ay + uy * short + oy, x2: bx - ux * short + ox, y2: by - uy * short + oy };
}

/** Draws a map once; `update` shows who owns what and what can be done by a click. */
export class MapView {
  constructor(map, speaker, pick) {
    const { at, height } = places(map.cities);
    const lanes = (route) => map.routes.filter((other) => other.a === route.a && other.b === route.b).length;
    this.routes = map.routes.map((route, number) => {
      const line = ends(route, lanes(route), at);
      // One dash for each space.
      const spaces = { ...line, pathLength: route.length, "stroke-dasharray": "0.84 0.16", "stroke-dashoffset": -0.08 };
      return svg("g", { class: `route card${route.color} ${route.kind}`, onclick: () => pick({ route: number }) },
        svg("line", { ...line, class: "target" }),
        svg("line", { ...spaces, class: "edge" }),
        svg("line", { ...spaces, class: "track" }),
        svg("title", null, speaker.routeLine(number)));
    });
    this.cities = map.cities.map((city, number) => {
      const [x, y] = at[number];
      return svg("g", { class: "city", onclick: () => pick({ city: number }) },
        svg("circle", { cx: x, cy: y, r: 7 }), svg("text", { x, y: y + 6, "text-anchor": "middle" }), svg("title", null, city.name));
    });
    const labels = map.cities.map((city, number) => {
      const [x, y] = at[number];
      const left = x > WIDTH - 130;
      return svg("text", { class: "label", x: x + (left ? -10 : 10), y: y - 8, "text-anchor": left ? "end" : "start" }, city.name);
    });
    this.element = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "group" }, this.routes, this.cities, labels);
  }

  /** `owner` and `marks` are colours by route and by city; `open` tells what has a move. */
  update({ owner, marks, alvin, open }) {
    this.routes.forEach((group, number) => {
      group.classList.toggle("open", open.routes.has(number));
      group.classList.toggle("owned", number in owner);
      group.dataset.owner = owner[number] ?? "";
    });
    this.cities.forEach((group, number) => {
      group.classList.toggle("open", open.cities.has(number));
      group.dataset.owner = marks[number] ?? "";
      group.children[1].textContent = alvin === number ? "A" : "";
    });
  }

  /** Point out cities: those of a ticket somebody looks at. */
  point(cities) {
    this.cities.forEach((group, number) => group.classList.toggle("hot", cities.includes(number)));
  }
}
