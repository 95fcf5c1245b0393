import type { LessonsText } from "./text.ts";

const text: LessonsText = {
  note: "Cinci lecții scurte, pe hărțile adevărate. Înveți jucând și poți pleca oricând: data viitoare continui de unde ai rămas.",
  lesson: "Lecția {n} din {all}",
  step: "Pasul {n} din {all}",
  opening: "Se deschide lecția…",
  leave: "Ieși din lecție",
  allowed: "Și așa e voie.",
  over: "Asta a fost lecția.",
  nextLesson: "Lecția următoare: {title}",
  all: "Toate lecțiile",
  allDone: "Știi tot ce îți trebuie. Restul vine jucând.",
  firstGame: "Joacă prima partidă",
  done: "terminată",
  resume: "începută",
  lessons: {
    tickets: {
      title: "Primele cărți traseu",
      about: "Pentru ce joci și ce cărți traseu să păstrezi.",
      steps: {
        choose: {
          ask: "Două dintre aceste trasee merg de-a lungul coastei de vest. Păstrează-le pe acestea și dă înapoi Los Angeles – New York.",
          other: "Dar Los Angeles – New York străbate toată țara: mult de construit și mult de pierdut.",
          after: "Același șir de vagoane poate acoperi ambele trasee. De aceea se potrivesc.",
        },
        draw: {
          ask: "Câteva ture mai târziu, ambele trasee sunt gata. Folosește tura aceasta ca să tragi cărți traseu noi, din teancul de lângă pachet.",
          other: "Dar traseele tale sunt gata și îți trebuie un scop nou.",
          after: "Primești trei cărți traseu și păstrezi cel puțin una.",
        },
        keep: {
          ask: "Păstrează doar Santa Fe – Vancouver. Vagoanele tale acoperă deja aproape tot drumul.",
          other: "Dar celelalte două sunt departe, în est, unde nu ai vagoane.",
          after:
            "Mai lipsesc doar câteva spații. Spre sfârșitul partidei, trage cărți traseu numai dacă mai ai timp să le realizezi.",
        },
      },
    },
    cards: {
      title: "Cărțile tren",
      about: "Cele cu fața în sus, cele din pachet și locomotiva.",
      steps: {
        open: {
          ask: "Ai două cărți roșii. Ia-o și pe cea de pe masă, cu fața în sus.",
          other: "Dar rutele cer cărți de o singură culoare, iar tu ai început să strângi roșu.",
          after: "Cărțile se iau câte două: mai ai de luat una.",
        },
        deck: {
          ask: "Ia a doua carte din pachet, fără să o vezi.",
          other: "Dar de data aceasta încercăm pachetul.",
          after: "Din pachet poate veni orice carte, chiar și o locomotivă, și numai tu știi care.",
        },
        locomotive: {
          ask: "E din nou rândul tău. Ia locomotiva care stă cu fața în sus.",
          other: "Dar o locomotivă se potrivește la orice rută și nu stă mult pe masă.",
          after: "Tura ta s-a încheiat pe loc. Acesta e prețul unei locomotive alese la vedere.",
        },
      },
    },
    routes: {
      title: "Cum ocupi o rută",
      about: "Cum plătești și ce câștigi.",
      steps: {
        pay: {
          ask: "Traseul tău leagă Denver de El Paso. Alege Denver – Santa Fe și plătește cu cele două cărți albastre.",
          other:
            "Dar cel mai bine plătești Denver – Santa Fe cu cele două cărți albastre și le păstrezi pe celelalte.",
          after: "Vagoanele sunt puse, iar punctele rutei sunt ale tale pe loc.",
        },
        "stand-in": {
          ask: "Acum El Paso – Santa Fe. Ai o singură carte roșie: pune locomotiva în locul celeilalte.",
          other:
            "Dar pentru traseul tău e nevoie de ruta El Paso – Santa Fe, iar cărțile negre e mai bine să rămână împreună.",
          after: "Denver și El Paso sunt legate. Traseul e gata, iar punctele lui se adună la sfârșit.",
        },
        long: {
          ask: "Ai în mână șase cărți negre. Ocupă cu ele ruta El Paso – Los Angeles.",
          other: "Dar ruta lungă valorează mult mai mult.",
          after:
            "{long} puncte într-o singură tură. De multe ori merită să strângi cărți pentru o rută lungă.",
        },
      },
    },
    europe: {
      title: "Tuneluri, feriboturi, gări",
      about: "Ce aduce Europa în plus.",
      steps: {
        tunnel: {
          ask: "Traseului Brest – Venezia îi mai lipsește o rută. Încearcă tunelul München – Venezia cu două cărți albastre.",
          other: "Dar cu tunelul ți-ai realiza traseul și ai chiar și o carte de rezervă.",
          after: "S-au întors trei cărți, iar una dintre ele este albastră.",
        },
        reveal: {
          ask: "Plătește cartea în plus: a treia ta carte albastră.",
          other: "Dar aici îți permiți să plătești.",
          after:
            "Tunelul e al tău și traseul e gata. Înaintea unui tunel e bine să ai o carte sau două de rezervă.",
        },
        ferry: {
          ask: "Traseului Edinburgh – Paris îi lipsește doar trecerea peste mare. Ocupă feribotul Dieppe – London.",
          other: "Dar cu feribotul realizezi traseul Edinburgh – Paris și ai o locomotivă pentru el.",
          after: "Feribotul e al tău. Dacă un traseu trece marea, păstrează din timp o locomotivă.",
        },
        station: {
          ask: "Toate rutele spre Bruxelles sunt ocupate. Construiește acolo o gară, ca să folosești ruta dinspre Paris.",
          other: "Dar traseul Barcelona – Bruxelles tot nu e realizat. L-ar realiza o gară la Bruxelles.",
          after: "Traseul Barcelona – Bruxelles se socotește acum realizat. Ruta rămâne a celuilalt jucător.",
        },
      },
    },
    "old-west": {
      title: "Vechiul Vest",
      about: "O singură rețea, marcatori de oraș și Alvin.",
      steps: {
        start: {
          ask: "Două dintre traseele tale pornesc din Denver. Pune acolo primul marcator.",
          other: "Dar din Denver ajungi mai repede la capetele traseelor tale.",
          after: "Denver e al tău.",
        },
        network: {
          ask: "Strălucesc numai rutele care ating rețeaua ta. Ocupă ruta Denver – Grand Junction.",
          other: "Dar drumul spre Las Vegas trece prin Grand Junction și ai cărțile pentru el.",
          after: "Rețeaua ta a crescut. Fiecare rută nouă poate aduce un marcator.",
        },
        marker: {
          ask: "Pune un marcator la Grand Junction, cu cele două cărți verzi.",
          other: "Așa economisești două cărți. Dar aici vrem să vedem ce face un marcator.",
          after:
            "Când alții construiesc spre Grand Junction, punctele sunt ale tale. Așa că, înainte să construiești, uită-te al cui e marcatorul din oraș.",
        },
        alvin: {
          ask: "Alvin este la Roswell. Ocupă ruta Albuquerque – Roswell ca să-l prinzi.",
          other: "Dar rețeaua ta e lângă Roswell și îl vor și ceilalți pe Alvin.",
          after: "L-ai prins pe Alvin. Vine cu tine.",
        },
        "alvin-move": {
          ask: "Du-l pe Alvin într-unul dintre orașele tale: Denver sau Santa Fe.",
          after: "Rămâne acolo până când alt jucător construiește spre orașul acela.",
        },
      },
    },
  },
};

export default text;
