// Makes a PNG of the final picture: the SVG with its styles and fonts inside, drawn on a canvas.

import { mount, unmount } from "svelte";

import type { Measure } from "./layout.ts";
import Poster, { type PosterProps } from "./Poster.svelte";

const SVG = "http://www.w3.org/2000/svg";
const WARM_UPS = 2;
const FONT_MS = 120;
const STILL = "*{animation:none!important;transition:none!important}";

/** The picture as a PNG file. */
export async function posterImage(props: Omit<PosterProps, "measure">): Promise<Blob> {
  const fonts = await Promise.all([
    document.fonts.load("700 50px 'Alegreya Sans'"),
    document.fonts.load("400 50px 'Alegreya Sans'"),
    document.fonts.load("700 50px Alegreya"),
  ]).catch(() => []); // without them the picture has other letters
  void fonts;
  const measure = { text: measureIn("700 100px 'Alegreya Sans'"), title: measureIn("700 100px Alegreya") };
  const frame = document.createElement("div");
  frame.hidden = true;
  document.body.append(frame);
  const shown = mount(Poster, { target: frame, props: { ...props, measure } });
  try {
    const svg = frame.querySelector("svg");
    if (!svg) throw new Error("the picture was not drawn");
    return await rasterized(await standalone(svg), svg.width.baseVal.value, svg.height.baseVal.value);
  } finally {
    await unmount(shown);
    frame.remove();
  }
}

function measureIn(font: string): Measure {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return (text) => text.length * 0.55;
  context.font = font;
  return (text) => context.measureText(text).width / 100;
}

/** The SVG as a document of its own, which needs no other file. */
async function standalone(svg: SVGSVGElement): Promise<string> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  // The root of that document is the SVG: the theme's rules for :root must fit it.
  for (const [name, value] of Object.entries(document.documentElement.dataset))
    if (value !== undefined) copy.dataset[name] = value;
  const style = document.createElementNS(SVG, "style");
  style.textContent = [await fontFaces(), ...stylesOf(svg), STILL].join("\n");
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

/** The rules of the page that apply to an element and what it contains. */
function stylesOf(root: Element): string[] {
  const used = (selector: string): boolean => {
    if (selector.includes(":root")) return true;
    try {
      return root.matches(selector) || root.querySelector(selector) !== null;
    } catch {
      return false; // a selector of another browser
    }
  };
  const collect = (rules: CSSRuleList): string[] =>
    [...rules].flatMap((rule) => {
      if (rule instanceof CSSStyleRule) return used(rule.selectorText) ? [rule.cssText] : [];
      if (rule instanceof CSSMediaRule)
        return matchMedia(rule.conditionText).matches ? collect(rule.cssRules) : [];
      return [];
    });
  return [...document.styleSheets].flatMap((sheet) => collect(sheet.cssRules));
}

let faces: Promise<string> | null = null;

/** The fonts of the page, with their files inside. */
function fontFaces(): Promise<string> {
  faces ??= Promise.all(
    [...document.styleSheets].flatMap((sheet) =>
      [...sheet.cssRules]
        .filter((rule) => rule instanceof CSSFontFaceRule)
        .map((rule) => withFile(rule.cssText, sheet.href ?? location.href)),
    ),
  ).then((found) => found.join("\n"));
  return faces;
}

/** A font rule with its file as a data address; nothing if the file cannot be had. */
async function withFile(rule: string, base: string): Promise<string> {
  const [address, path] = /url\("?([^")]+)"?\)/.exec(rule) ?? [];
  if (!address || !path) return "";
  const response = await fetch(new URL(path, base)).catch(() => null);
  if (!response?.ok) return "";
  const bytes = new Uint8Array(await response.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return rule.replace(address, `url("data:font/woff2;base64,${btoa(text)}")`);
}

async function rasterized(svg: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext("2d");
    // Browsers load the fonts inside a picture when its letters are first drawn, and do not wait for them.
    for (let n = 0; n < WARM_UPS; n++) {
      context?.drawImage(image, 0, 0, width / 8, height / 8);
      await new Promise((resolve) => setTimeout(resolve, FONT_MS));
    }
    context?.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
