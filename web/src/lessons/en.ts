import type { LessonsText } from "./text.ts";

const text: LessonsText = {
  note: "Five small lessons on real boards. You learn by doing, and you can leave at any time: the next visit goes on where you left.",
  lesson: "Lesson {n} of {all}",
  step: "Step {n} of {all}",
  opening: "Opening the lesson …",
  leave: "Leave the lesson",
  allowed: "That is allowed, too.",
  over: "That was the lesson.",
  nextLesson: "Next lesson: {title}",
  all: "All lessons",
  allDone: "You know all you need. The rest comes with playing.",
  firstGame: "Play your first game",
  done: "done",
  resume: "begun",
  lessons: {
    tickets: {
      title: "First tickets",
      about: "What you play for, and which tickets to keep.",
      steps: {
        choose: {
          ask: "Two of these tickets run along the west coast. Keep those two and give Los Angeles – New York back.",
          other: "But Los Angeles – New York crosses the whole country: much to build, and much to lose.",
          after: "One line of trains can serve both tickets. That makes them a good pair.",
        },
        draw: {
          ask: "Some turns later both tickets are complete. Use this turn to draw new ones, from the pile beside the deck.",
          other: "But your tickets are complete, and you need a new goal.",
          after: "Three tickets come, and you keep at least one of them.",
        },
        keep: {
          ask: "Keep only Santa Fe – Vancouver. Your trains already cover most of its way.",
          other: "But the other two lie far in the east, where you have no trains.",
          after:
            "Only a few spaces are missing. Near the end of a game, draw tickets only if there is time to complete them.",
        },
      },
    },
    cards: {
      title: "Drawing cards",
      about: "Face up, from the deck, and the locomotive.",
      steps: {
        open: {
          ask: "You have two red cards. Take the red one that lies face up.",
          other: "But routes want cards of one colour, and you have begun to collect red.",
          after: "Cards come in twos: one more to take.",
        },
        deck: {
          ask: "Take the second card from the deck, face down.",
          other: "But this time we want the deck.",
          after: "The deck may give any card, even a locomotive, and only you know which.",
        },
        locomotive: {
          ask: "Your next turn. Take the locomotive that lies face up.",
          other: "But a locomotive fits every route, and does not lie there for long.",
          after: "Your turn is over at once. That is the price of choosing a locomotive.",
        },
      },
    },
    routes: {
      title: "Claiming a route",
      about: "How to pay, and what it brings.",
      steps: {
        pay: {
          ask: "Your ticket joins Denver and El Paso. Pick Denver – Santa Fe and pay with the two blue cards.",
          other:
            "But it is best to pay for Denver – Santa Fe with the two blue cards, and to save the others.",
          after: "The trains are laid, and the points of the route are yours at once.",
        },
        "stand-in": {
          ask: "Now El Paso – Santa Fe. You have one red card: let the locomotive stand in for the other.",
          other: "But your ticket needs El Paso – Santa Fe, and the black cards are better kept together.",
          after: "Denver and El Paso are joined. The ticket is complete, and its points count at the end.",
        },
        long: {
          ask: "Six black cards are in your hand. Claim El Paso – Los Angeles with them.",
          other: "But the long route is worth far more.",
          after: "{long} points with one turn. It is often good to save for a long route.",
        },
      },
    },
    europe: {
      title: "Tunnels, ferries, stations",
      about: "What Europe adds.",
      steps: {
        tunnel: {
          ask: "Brest – Venezia lacks one route. Try the tunnel München – Venezia with two blue cards.",
          other: "But the tunnel would complete your ticket, and you even have a card to spare.",
          after: "Three cards are turned up, and one of them is blue.",
        },
        reveal: {
          ask: "Pay the one card more: your third blue one.",
          other: "But here you can afford it.",
          after:
            "The tunnel is yours, and the ticket is complete. A card or two to spare is good to have before a tunnel.",
        },
        ferry: {
          ask: "Edinburgh – Paris lacks only the crossing. Claim the ferry Dieppe – London.",
          other: "But the ferry completes Edinburgh – Paris, and you have a locomotive for it.",
          after: "The ferry is yours. If a ticket crosses the sea, save a locomotive early.",
        },
        station: {
          ask: "Every way into Bruxelles is taken. Build a station there, to use the route from Paris.",
          other: "But Barcelona – Bruxelles is still not joined. A station in Bruxelles would do it.",
          after: "Barcelona – Bruxelles counts as complete now. The route still belongs to the other player.",
        },
      },
    },
    "old-west": {
      title: "Old West",
      about: "One network, city markers, and Alvin.",
      steps: {
        start: {
          ask: "Two of your tickets begin in Denver. Put your first marker there.",
          other: "But from Denver you reach the ends of your tickets sooner.",
          after: "Denver is yours.",
        },
        network: {
          ask: "Only routes that touch your network glow. Claim Denver – Grand Junction.",
          other: "But the way to Las Vegas leads over Grand Junction, and you have the cards.",
          after: "Your network has grown. Each new route may bring a marker.",
        },
        marker: {
          ask: "Put a marker on Grand Junction, with the two green cards.",
          other: "It saves two cards. But here we want to see what a marker does.",
          after:
            "You get the points when others build to Grand Junction. So look whose marker stands where before you build.",
        },
        alvin: {
          ask: "Alvin is in Roswell. Claim Albuquerque – Roswell to catch him.",
          other: "But your network is next to Roswell, and others want Alvin, too.",
          after: "Alvin is caught. He comes with you.",
        },
        "alvin-move": {
          ask: "Take Alvin to one of your cities: Denver or Santa Fe.",
          after: "He stays there until another player builds into that city.",
        },
      },
    },
  },
};

export default text;
