import type { Facts } from "./facts.ts";
import { type Chapter, inOrder, type RulesText, type Section, type TurnChoice } from "./text.ts";

const plural = new Intl.PluralRules("ro");

/** A number and what it counts; from twenty on, Romanian puts a "de" between them. */
function counted(n: number, one: string, many: string): string {
  const forms: Partial<Record<Intl.LDMLPluralRule, string>> = { one, few: many };
  return `${n} ${forms[plural.select(n)] ?? `de ${many}`}`;
}
const countPoints = (n: number): string => counted(n, "punct", "puncte");
const countTrains = (n: number): string => counted(n, "vagon", "vagoane");
const countCards = (n: number): string => counted(n, "carte", "cărți");
const countTickets = (n: number): string => counted(n, "carte traseu", "cărți traseu");

function choices({ rules, stations }: Facts): TurnChoice[] {
  return [
    { id: "cards", title: "Ia cărți tren", text: "Două, dintre cele cu fața în sus sau din pachet." },
    {
      id: "claim",
      title: "Ocupă o rută",
      text: "Plătești cărțile, pui vagoanele, primești punctele pe loc.",
    },
    {
      id: "tickets",
      title: "Trage cărți traseu",
      text: `Te uiți la ${rules.draw_tickets}, păstrezi cel puțin ${rules.draw_keep}.`,
    },
    ...(stations
      ? [{ id: "stations" as const, title: "Construiește o gară", text: "Folosești o rută a altcuiva." }]
      : []),
  ];
}

function sections(facts: Facts): Section[] {
  const { rules: r } = facts;
  const first = r.cards[0] ?? 0;
  const wild = r.cards.at(-1) ?? 0;
  const all = r.cards.reduce((sum, n) => sum + n, 0);
  const goesBack = {
    bottom: "Celelalte merg sub pachetul de cărți traseu.",
    shuffled: "Celelalte se amestecă între ele și merg sub pachetul de cărți traseu.",
    out: "Celelalte ies din joc, nevăzute.",
  }[r.setup_return];
  const dealt = facts.longTickets
    ? `${countTickets(r.setup_tickets)} și una cu traseu lung`
    : countTickets(r.setup_tickets);

  const goal: Chapter = {
    title: "Despre ce este vorba",
    text: [
      "Ocupi rute de cale ferată între orașe și fiecare îți aduce puncte pe loc. Ai și cărți traseu secrete, " +
        "fiecare cu două orașe: dacă le legi cu vagoanele tale, primești punctele cărții; dacă rămân despărțite, " +
        "pierzi tot atâtea.",
    ],
  };
  const start: Chapter = {
    title: "Înainte de prima tură",
    text: [],
    points: [
      `Fiecare primește ${countTrains(r.trains)} și ${counted(r.hand, "carte tren", "cărți tren")}` +
        (facts.stations
          ? `, plus ${counted(r.stations, "gară", "gări")}.`
          : facts.markers
            ? `, plus ${counted(r.markers, "marcator", "marcatori")} de oraș.`
            : "."),
      `Cu fața în sus stau ${counted(r.row, "carte tren", "cărți tren")}; restul formează pachetul.`,
      `Fiecare se uită la ${dealt} și păstrează cel puțin ${r.setup_keep}. Toți aleg în același timp, ` +
        `iar ceilalți află doar câte ai păstrat. ${goesBack ?? ""}`,
      ...(facts.markers
        ? [
            "Apoi fiecare pune un marcator pe un oraș liber, orașul de pornire. Începe ultimul jucător, " +
              "iar cel care va juca primul alege la urmă.",
          ]
        : []),
      "Se trage la sorți cine începe, dacă la masă nu s-a ales altfel. Se joacă în sensul acelor de ceasornic.",
    ],
  };
  const turn: Chapter = { title: "Tura ta", text: ["În tura ta faci exact unul dintre aceste lucruri:"] };
  const cards: Chapter = {
    title: "Cărțile tren",
    text: [
      `Sunt ${countCards(all)} cu totul: câte ${first} din fiecare dintre cele opt culori și ${counted(wild, "locomotivă", "locomotive")}, care țin locul oricărei culori.`,
    ],
    points: [
      "Iei două cărți, una după alta, dintre cele cu fața în sus sau de deasupra pachetului.",
      "O carte luată dintre cele cu fața în sus este înlocuită înainte să o iei pe a doua.",
      "O locomotivă aflată cu fața în sus ține loc de două cărți: poate fi numai prima, și atunci rămâne singura.",
      "O locomotivă trasă din pachet este doar noroc: mai iei o carte.",
      `De îndată ce ${r.row_locomotives} dintre cărțile cu fața în sus sunt locomotive, se schimbă toate.`,
      "Poți strânge oricâte cărți. Când pachetul se termină, cărțile jucate devin pachetul nou.",
    ],
  };
  const claim: Chapter = {
    title: "Ocuparea unei rute",
    text: [
      "Plătești exact atâtea cărți câte spații are ruta, toate de culoarea ei. Pentru o rută gri merge orice culoare, " +
        "dar una singură. Locomotivele pot ține locul unora dintre cărți sau al tuturor; câte folosești hotărăști tu.",
      facts.markers
        ? "O singură rută pe tură, întreagă, și îți trebuie câte un vagon pentru fiecare spațiu. Trebuie să atingă rețeaua ta (vezi mai jos)."
        : "O singură rută pe tură, întreagă, oriunde pe hartă, și îți trebuie câte un vagon pentru fiecare spațiu.",
    ],
    figure: { name: "paying", caption: "O rută roșie de 4 spații și trei dintre variantele de plată." },
  };
  const points: Chapter = {
    title: "Punctele rutelor",
    text: ["O rută lungă aduce mult mai mult decât câteva scurte."],
    figure: { name: "points", caption: "Punctele, după lungimea rutei." },
  };
  const double: Chapter = {
    title: "Rute duble",
    text: [
      "Între unele orașe merg două sau mai multe linii alăturate. Nimeni nu poate ocupa două linii între aceleași orașe. " +
        `Cu mai puțin de ${r.parallel_from} jucători se poate ocupa o singură linie; apoi celelalte se închid.`,
    ],
    figure: {
      name: "double",
      caption: "Stânga: a doua linie este închisă. Dreapta: o poate ocupa alt jucător.",
    },
  };
  const ferries: Chapter = {
    title: "Feriboturi",
    text: [
      "Feribotul este o rută gri peste apă, cu o roată (semnul locomotivei) pe unele dintre spații. Pentru fiecare roată, una dintre cărțile " +
        "plătite trebuie să fie locomotivă. Celelalte spații se plătesc ca de obicei, cu o singură culoare.",
    ],
    figure: {
      name: "ferry",
      caption: "Un feribot de 4 spații, cu două roți: două locomotive și două cărți de aceeași culoare.",
    },
  };
  const tunnels: Chapter = {
    title: "Tuneluri",
    text: [
      `Nimeni nu știe cât de tare este stânca. Pui cărțile pentru rută, apoi se întorc ${countCards(r.tunnel_cards)} din pachet. ` +
        "Pentru fiecare carte de culoarea pusă de tine și pentru fiecare locomotivă mai plătești o carte: de aceeași culoare " +
        "sau o locomotivă.",
      "Dacă nu poți sau nu vrei, îți iei cărțile înapoi și tura s-a încheiat. Cărțile întoarse se aruncă oricum.",
      "Dacă ai pus numai locomotive, costă în plus doar locomotivele întoarse, fiecare câte o locomotivă. " +
        "Cărțile în plus nu cer vagoane în plus.",
    ],
    figure: {
      name: "tunnel",
      caption:
        "S-au pus două cărți roșii. Dintre cele trei întoarse contează cea roșie și locomotiva: mai sunt de plătit două.",
    },
  };
  const tickets: Chapter = {
    title: "Cărțile traseu",
    text: [
      "Un traseu este realizat când vagoanele tale leagă fără întrerupere cele două orașe, pe orice drum. " +
        "Se numără la sfârșitul partidei și până atunci nu îl vede nimeni altcineva.",
    ],
    points: [
      `În locul altei acțiuni poți trage ${countTickets(r.draw_tickets)} noi. Păstrezi cel puțin ${r.draw_keep}; restul merg sub pachet` +
        (r.return_order === "chosen" ? ", în ordinea aleasă de tine." : "."),
      "O carte traseu păstrată nu mai poate fi dată înapoi.",
      facts.longTickets
        ? `Cele ${counted(facts.longTickets, "traseu", "trasee")} lungi se împart numai la început, câte unul fiecărui jucător.`
        : `Sunt ${countTickets(facts.tickets)} cu totul.`,
    ],
  };
  const stations: Chapter = {
    title: "Gări",
    text: [
      "Când alții ți-au închis drumul, construiește o gară într-un oraș. La sfârșitul partidei poți folosi " +
        "o rută spre acel oraș a altui jucător, ca și cum ar fi a ta, pentru toate traseele tale.",
    ],
    points: [
      `Prima gară costă 1 carte, a doua 2 de aceeași culoare, a treia 3 de aceeași culoare; ai ${r.stations} și construiești câte una pe tură.`,
      "Într-un oraș încape o singură gară, iar ea nu se mută.",
      "Ruta folosită se stabilește la sfârșit, așa cum îți aduce cele mai multe puncte. Nu se adaugă la cel mai lung drum.",
      `Fiecare gară neconstruită aduce ${countPoints(r.station_points)} la sfârșit.`,
    ],
    figure: {
      name: "station",
      caption: "Albastru are o gară la mijloc: ruta roșie îi realizează traseul de la stânga la dreapta.",
    },
  };
  const markers: Chapter = {
    title: "Orașele tale",
    text: [
      "Prima ta rută trebuie să atingă orașul de pornire, iar fiecare rută următoare un oraș la care ajung deja vagoanele tale.",
      `După ce ocupi o rută, poți pune un marcator pe unul dintre cele două orașe ale ei, dacă este liber, pentru ` +
        `${countCards(r.marker_cards)} de aceeași culoare. Ai ${counted(r.markers, "marcator", "marcatori")}, cu tot cu cel din orașul de pornire.`,
    ],
    points: [
      "O rută fără marcatorul altui jucător la capete aduce puncte celui care a ocupat-o.",
      "Dacă la un capăt este marcatorul altui jucător, punctele le iau cei cu marcatori la capete, fiecare pentru capătul lui.",
      "Cine are ambele capete primește punctele de două ori.",
      "Marcatorul pus după ocupare contează numai pentru rutele de mai târziu.",
    ],
    figure: {
      name: "markers",
      caption: `Roșu ocupă o rută de 4 spații până în orașul lui Albastru: cele ${countPoints(r.route_points[4] ?? 0)} sunt ale lui Albastru.`,
    },
  };
  const alvin: Chapter = {
    title: "Cu Alvin",
    text: [
      `Alvin extraterestrul așteaptă la ${r.alvin_city}, unde nimeni nu poate pune marcator. Dacă joacă și el se alege la crearea mesei.`,
    ],
    points: [
      `Primul care ocupă o rută până la ${r.alvin_city} îl prinde: ${countPoints(r.alvin_points)} pe loc, oricine ar primi punctele rutei.`,
      "Apoi Alvin merge într-un oraș cu marcatorul celui care l-a prins, la alegerea acestuia.",
      "Cine ocupă o rută până la orașul în care altcineva îl ține pe Alvin îl prinde în același fel.",
      `Cine îl are pe Alvin la sfârșit mai primește ${countPoints(r.alvin_points)}.`,
    ],
    figure: {
      name: "alvin",
      caption: `Roșu îl prinde pe Alvin, primește ${countPoints(r.alvin_points)} și îl duce într-un oraș al lui.`,
    },
  };
  const end: Chapter = {
    title: "Sfârșitul",
    text: [
      `Când cineva își încheie tura cu cel mult ${countTrains(r.last_trains)}, fiecare mai are o tură, inclusiv el. Apoi se numără:`,
    ],
    points: [
      "Punctele rutelor au fost primite în timpul partidei.",
      "Traseele realizate își adaugă punctele, celelalte le scad pe ale lor.",
      ...(facts.stations ? [`Fiecare gară neconstruită: ${countPoints(r.station_points)}.`] : []),
      ...(facts.longestPath
        ? [
            `Cel mai lung drum: ${countPoints(r.longest_points)} pentru cel mai lung șir neîntrerupt de vagoane. Poate trece din nou ` +
              "printr-un oraș, dar nu de două ori pe aceeași rută. La egalitate le primesc toți.",
          ]
        : []),
      ...(facts.globetrotter
        ? [
            `Cele mai multe trasee realizate: ${countPoints(r.globetrotter_points)}, pentru toți cei la egalitate.`,
          ]
        : []),
      ...(facts.alvin ? [`Alvin: ${countPoints(r.alvin_points)} pentru cine îl are.`] : []),
      `Câștigă cine are cele mai multe puncte. La egalitate decide ${ties(r.tie_breaks)}; dacă nici așa nu se hotărăște, victoria se împarte.`,
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
  tickets: "numărul mai mare de trasee realizate",
  stations: "numărul mai mic de gări",
  "longest-path": "cel mai lung drum",
};
const ties = (rules: readonly string[]): string => rules.map((rule) => TIES[rule] ?? rule).join(", apoi ");

const text: RulesText = {
  contents: "Pe această pagină",
  minute: "Jocul într-un minut",
  inShort: [
    "Strângi cărți tren de aceeași culoare, plătești cu ele o rută de culoarea lor și îți așezi vagoanele pe ea. Rutele lungi aduc mai multe puncte.",
    "Pe fiecare carte traseu, pe care o ții secretă, sunt două orașe. Dacă le legi cu vagoanele tale până la sfârșit, primești punctele ei; dacă nu, le pierzi.",
    "Și ceilalți vor aceleași rute. Dacă aștepți prea mult, ți le ocupă ei; dacă te grăbești, nu apuci să strângi cărți pentru cele lungi.",
    "Când un jucător aproape și-a terminat vagoanele, fiecare mai are câte o tură. Câștigă cine are cele mai multe puncte.",
  ],
  title: (edition) => `Reguli: ${edition}`,
  choose: "Regulile fiecărei hărți",
  choices,
  sections,
  figures: {
    length: "Spații",
    points: "Puncte",
    few: (least, most) => (least === most ? `${least} jucători` : `${least}–${most} jucători`),
    many: (least) => `${least} jucători sau mai mulți`,
    laid: "Puse",
    revealed: "Întoarse",
    extra: "De plătit în plus",
    or: "sau",
  },
};

export default text;
