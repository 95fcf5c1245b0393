// The player's selection before a move is sent: the picked place, the highlighted ticket. What is legal comes from
// the server.

import { untrack } from "svelte";

import type { Move, TicketAid } from "../net/wire.ts";
import { confirms, settings } from "../ui/settings.svelte.ts";
import { Hint } from "./hint.svelte.ts";
import { type Lane, type LaneChoice, laneChoices } from "./lane-choices.ts";
import { lanesBeside } from "./lanes.ts";
import {
  cheapestFirst,
  comparePayments,
  isPaid,
  type MoveOf,
  movesInCity,
  movesOnRoute,
  ofType,
  type PaidMove,
} from "./moves.ts";
import {
  NO_PLACES,
  type Place,
  type Places,
  placesOf,
  placesOfCity,
  placesOfRoute,
  placesOfTickets,
} from "./places.ts";
import { arrange, filled, holds, type Slot } from "./slots.ts";
import type { TableState } from "./table.svelte.ts";

/** The questions that open a sheet (a panel below or beside the map). */
type Question = "tickets" | "return" | "tunnel" | "mark" | "alvin" | "place" | "draw";

/** The tickets that a route or a city serves, by its number. */
export interface Serving {
  routes: ReadonlyMap<number, readonly number[]>;
  cities: ReadonlyMap<number, readonly number[]>;
}

// Moves that are made by picking a city; for "station" the player presses a button first.
const CITY_MOVES = ["start", "move-alvin", "mark"];

export class Plan {
  /** the picked place; it has legal moves */
  picked: Place | null = $state.raw(null);
  /** whether the player picked this very lane; false: they may have meant a parallel lane */
  exact: boolean = $state(true);
  /** the lane that is pointed at in the sheet */
  lane: number | null = $state(null);
  /** whether the player is picking the city of a new station */
  building: boolean = $state(false);
  /** whether the player is asked to confirm drawing tickets */
  drawing: boolean = $state(false);
  /** the slot, or the deck, whose card the player is asked to confirm */
  taking: number | "deck" | null = $state(null);
  /** the ticket to highlight */
  ticket: number | null = $state(null);
  /** the move of a hint to highlight */
  hinted: Move | null = $state.raw(null);
  /** where the face-up cards lie, and the slots that were filled by the last change */
  slots: readonly Slot[] = $state.raw([]);
  filled: ReadonlySet<number> = $state.raw(new Set());
  #decidedAt = -1; // the version at which something was decided for the player
  readonly hint: Hint;

  /** @param explain shows the player why a place has no legal move */
  constructor(
    readonly table: TableState,
    readonly explain: (place: Place) => void,
  ) {
    this.hint = new Hint(table);
  }

  get moves(): readonly Move[] {
    return this.table.offered;
  }

  get hand(): readonly number[] {
    const { seat, view } = this.table;
    return (seat === null ? null : view?.seats[seat]?.hand) ?? [];
  }

  offers = (type: Move["type"]): boolean => this.moves.some((move) => move.type === type);

  /** The first legal move of a type, for types with one move. */
  only = <Type extends Move["type"]>(type: Type): MoveOf<Type> | undefined => ofType(this.moves, type)[0];

  /** The choosable places. Cities for a station are choosable only while `building`: there are too many. */
  readonly choosable: Places = $derived.by(() => {
    const routes = new Set(this.building ? [] : ofType(this.moves, "claim").map((move) => move.route));
    const cities = new Set<number>();
    for (const move of this.moves) {
      if ("city" in move && (CITY_MOVES.includes(move.type) || this.building)) cities.add(move.city);
    }
    return { routes, cities };
  });

  /** The moves that the player considers: of the picked place, tickets to draw, or stations to build; otherwise all. */
  readonly considered: readonly Move[] = $derived.by(() => {
    const { picked, building, moves } = this;
    if (picked && "route" in picked)
      return this.#lanesOf(picked.route).flatMap((lane) => movesOnRoute(moves, lane));
    if (picked) return movesInCity(moves, picked.city);
    if (this.drawing) return ofType(moves, "draw-tickets");
    return building ? ofType(moves, "station") : moves;
  });

  /** The highlighted places: a ticket's cities and path, a hint, or the picked place. */
  readonly highlighted: Places = $derived.by(() => {
    const { picked, hinted, table } = this;
    const aids = table.aids?.tickets;
    if (this.ticket !== null) return placesOfTickets([this.ticket], table.map, aids);
    if (hinted) return placesOf(hinted, table.map, aids);
    if (!picked) return NO_PLACES;
    if ("city" in picked) return placesOfCity(picked.city);
    return placesOfRoute(this.lane ?? picked.route, table.map);
  });

  /** The places that serve the player's open tickets, with these: unclaimed routes of their paths, and stations. */
  readonly serving: Serving = $derived.by(() => {
    const { aids, view } = this.table;
    const routes = new Map<number, number[]>();
    if (!this.moves.length) return { routes, cities: new Map() };
    const taken = new Set(view?.seats.flatMap((seat) => seat.routes));
    for (const { ticket, offered, state, way } of aids?.tickets ?? []) {
      if (offered || state !== "open") continue;
      // A parallel lane joins the same cities.
      const lanes = new Set(way.filter((route) => !taken.has(route)).flatMap(this.#lanesOf));
      for (const route of lanes)
        if (!taken.has(route)) routes.set(route, [...(routes.get(route) ?? []), ticket]);
    }
    const cities = new Map(aids?.stations.map(({ city, rescues }) => [city, rescues]));
    return { routes, cities };
  });

  aid = (ticket: number): TicketAid | undefined =>
    this.table.aids?.tickets.find((aid) => aid.ticket === ticket);

  /** The lanes between the picked route's cities that can be claimed: the chosen one, then the cheapest. */
  readonly lanes: Lane[] = $derived.by(() => {
    if (!this.picked || !("route" in this.picked)) return [];
    return this.#lanesOf(this.picked.route)
      .map((route) => ({ route, ways: this.#ways(movesOnRoute(this.moves, route)) }))
      .filter(({ ways }) => ways.length)
      .sort((one, other) => {
        const chosen = Number(other.route === this.chosenLane) - Number(one.route === this.chosenLane);
        return chosen || comparePayments(one.ways[0] as PaidMove, other.ways[0] as PaidMove, this.hand);
      });
  });

  /** The same lanes, with equal ones as one choice. */
  readonly laneChoices: LaneChoice[] = $derived.by(() => laneChoices(this.table.map, this.lanes));

  /** Other players' markers on the picked route's cities, which decide who scores its points. */
  readonly markers: { seat: number; city: number }[] = $derived.by(() => {
    const { map, view, seat: mine } = this.table;
    const route = map.routes[this.lanes[0]?.route ?? -1];
    if (!route || !map.rules.markers || !view) return [];
    return view.seats.flatMap(({ marks }, seat) =>
      [route.a, route.b]
        .filter((city) => seat !== mine && marks.includes(city))
        .map((city) => ({ seat, city })),
    );
  });

  /** The picked lane, if the player picked this very lane. */
  get chosenLane(): number | null {
    return this.picked && "route" in this.picked && this.exact ? this.picked.route : null;
  }

  /** The ways to pay for something in the picked city. */
  readonly cityWays: PaidMove[] = $derived.by(() => {
    return this.picked && "city" in this.picked ? this.#ways(movesInCity(this.moves, this.picked.city)) : [];
  });

  /** The move in the picked city that costs nothing. */
  readonly cityMove: Move | undefined = $derived.by(() => {
    if (!this.picked || !("city" in this.picked)) return undefined;
    return movesInCity(this.moves, this.picked.city).find((move) => !isPaid(move));
  });

  /** The question whose sheet is open; null: none. */
  readonly question: Question | null = $derived.by(() => {
    const { view, legal, covered, seat } = this.table;
    if (!view || covered) return null;
    const may = (...types: Move["type"][]): boolean => legal.some((move) => types.includes(move.type));
    if (view.phase === "choose" && may("choose")) return "tickets";
    const mine = seat !== null && view.turn === seat;
    if (mine && view.claiming !== null && (any(view.laid) || any(view.revealed))) return "tunnel";
    if (!mine || !legal.length) return null;
    if (view.phase === "keep" && may("keep")) return "tickets";
    if (view.phase === "return" && may("return")) return settings.returns ? "return" : null;
    if (view.phase === "mark" && may("mark")) return "mark";
    if (view.phase === "alvin" && may("move-alvin")) return "alvin";
    if (this.lanes.length || this.cityWays.length || this.cityMove) return "place";
    return this.drawing && this.offers("draw-tickets") ? "draw" : null;
  });

  /** Handle a click on a place: ask how to pay, make the move, or explain why there is none. */
  pick = (place: Place, exact = true): void => {
    const about = "route" in place ? this.#lanesOf(place.route) : null;
    const moves = about
      ? about.flatMap((route) => movesOnRoute(this.moves, route))
      : movesInCity(this.moves, (place as { city: number }).city);
    if (!moves.length) {
      this.picked = null;
      this.explain(place);
      return;
    }
    this.hint.close();
    this.picked = place;
    this.exact = exact;
    this.lane = null;
    this.drawing = false;
    this.taking = null;
    const move = this.#atOnce(place);
    if (move) this.act(move);
  };

  /** Make a move without a place. Drawing tickets is confirmed first, as it takes the turn. */
  choose = (move: Move): void => {
    if (move.type !== "draw-tickets" || settings.confirm === "never") return this.act(move);
    this.hint.close();
    this.back();
    this.drawing = true;
  };

  act = (move: Move): void => {
    this.hint.close();
    this.back();
    this.table.act(move);
  };

  /** Take the card of a slot, or that of the deck; false if that is not legal. */
  take = (from: number | "deck"): boolean => {
    const move =
      from === "deck"
        ? this.only("blind")
        : ofType(this.moves, "take").find((one) => one.color === this.slots[from]);
    if (!move) return false;
    if (confirms() && this.taking !== from) {
      this.hint.close();
      this.back();
      this.taking = from; // the second tap takes it
    } else this.act(move);
    return true;
  };

  /**
   * Decide what the player is not asked: the order of returned tickets, unless they want to choose it, and not to
   * place a marker that they cannot pay for.
   */
  decideUnasked = (): void => {
    const { version } = this.table;
    const order = settings.returns ? undefined : this.only("return");
    const move = order ?? (this.offers("mark") ? undefined : this.only("skip-marker"));
    if (!move || this.#decidedAt === version) return;
    this.#decidedAt = version; // once: if it was refused, the list of moves is left to the player
    untrack(() => this.act(move));
  };

  /** Assign the face-up cards to slots: those that all see, or, while something is animated, the next ones. */
  setRow = (row: readonly number[]): void => {
    const before = untrack(() => this.slots);
    const { slots, map } = this.table;
    const after = slots && holds(slots, row) ? slots : arrange(before, row, map.rules.row);
    this.filled = before.length ? filled(before, after) : new Set();
    this.slots = after;
  };

  /** Undo the last selection; false if there was none. */
  back = (): boolean => {
    if (this.hint.open) {
      this.hint.close();
      return true;
    }
    const selected = this.picked !== null || this.building || this.drawing || this.taking !== null;
    this.taking = null;
    if (this.picked === null) this.building = false;
    this.picked = null;
    this.drawing = false;
    this.ticket = null;
    return selected;
  };

  /** Clear selections that have no legal move any more. */
  discardStale = (): void => {
    this.hint.refresh();
    if (this.table.animator.busy || this.table.acting) return;
    const { picked } = this;
    if (picked && !this.lanes.length && !this.cityWays.length && !this.cityMove) this.picked = null;
    if (this.building && !this.offers("station")) this.building = false;
    if (this.drawing && !this.offers("draw-tickets")) this.drawing = false;
    if (this.taking !== null && !this.offers("take") && !this.offers("blind")) this.taking = null;
  };

  #ways(moves: readonly Move[]): PaidMove[] {
    return cheapestFirst(moves.filter(isPaid), this.hand);
  }

  #lanesOf = (route: number): number[] => [route, ...lanesBeside(this.table.map, route)];

  /**
   * The move to make without asking: with the setting "never" the sensible one; with "touch", unless a finger
   * pointed, the only way to pay for a route. A sheet is opened nevertheless for a tunnel, to show its odds; for
   * parallel lanes, if the player may have meant another; for a station, if the player has not pressed the button
   * to build one; and after a click that cut an animation short, which may have meant only that.
   */
  #atOnce(place: Place): Move | undefined {
    if (confirms() || this.table.animator.justSkipped) return undefined;
    if ("route" in place && this.table.map.routes[place.route]?.kind === "tunnel") return undefined;
    if (settings.confirm === "touch") return this.#onlyWay();
    if ("city" in place)
      return this.cityMove ?? (this.building || this.offers("mark") ? this.cityWays[0] : undefined);
    if (!this.exact && this.lanes.length > 1) return undefined;
    return this.lanes.find(({ route }) => route === place.route)?.ways[0];
  }

  /** How to claim the picked route, if the sheet would show nothing but this: no other lane, no marker. */
  #onlyWay(): PaidMove | undefined {
    const [lane, another] = this.laneChoices;
    return another || lane?.ways.length !== 1 || this.markers.length ? undefined : lane.ways[0];
  }
}

const any = (cards: readonly number[]): boolean => cards.some((n) => n > 0);
