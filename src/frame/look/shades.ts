import type { MantineColorsTuple } from '@mantine/core'

/**
 * Shades of a colour that somebody chose, each with a fixed luminance: so text on them, and text in them, has the same
 * contrast for every colour. The hue is kept; the chroma as far as the screen can show it (OKLCH).
 */

/**
 * Relative luminance of each shade. White has 5.3:1 on shade 7 and more on 8 and 9; shades 3 and 4 have more than 4.5:1
 * on the dark theme's backgrounds. Shade 5 is the colour itself, as far as it has 3:1 to the backgrounds of every
 * theme.
 */
const LUMINANCES = [0.91, 0.82, 0.67, 0.53, 0.41, null, 0.21, 0.147, 0.105, 0.068] as const
const PLAIN_LEAST = 0.155
const PLAIN_MOST = 0.262
/** Tints are backgrounds: much colour in them would be loud. */
const MOST_CHROMA = [0.025, 0.045, 0.08, 0.12, 0.16, 0.4, 0.4, 0.4, 0.4, 0.4] as const

type Triple = readonly [number, number, number]

/** The ten shades of a colour, the lightest first, as Mantine counts them. */
export function shadesOf(color: string): MantineColorsTuple {
  const own = linearOf(color)
  const plain = Math.min(PLAIN_MOST, Math.max(PLAIN_LEAST, luminanceOf(own)))
  const [, a, b] = toOklab(own)
  const [chroma, hue] = [Math.hypot(a, b), Math.atan2(b, a)]
  const shade = (at: number): string =>
    atLuminance(LUMINANCES[at] ?? plain, Math.min(chroma, MOST_CHROMA[at] ?? chroma), hue)
  return [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)]
}

/** The colour with this luminance and hue, with as much of the chroma as the screen can show. */
function atLuminance(luminance: number, chroma: number, hue: number): string {
  const lightness = highest(0, 1, (tried) => luminanceOf(toShownColour(tried, chroma, hue)) <= luminance)
  return hexOf(toShownColour(lightness, chroma, hue))
}

function toShownColour(lightness: number, chroma: number, hue: number): Triple {
  const of = (amount: number): Triple => fromOklab([lightness, amount * Math.cos(hue), amount * Math.sin(hue)])
  const fits = (amount: number): boolean => of(amount).every((channel) => channel >= -1e-4 && channel <= 1.0001)
  return of(fits(chroma) ? chroma : highest(0, chroma, fits))
}

/** The highest number of a range for which a condition still holds that holds for the low ones. */
function highest(low: number, high: number, holds: (tried: number) => boolean): number {
  let [yes, no] = [low, high]
  for (let step = 0; step < 18; step += 1) {
    const middle = (yes + no) / 2
    if (holds(middle)) yes = middle
    else no = middle
  }
  return yes
}

/** Contrast of two colours by WCAG, 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(linearOf(one)), luminanceOf(linearOf(other))].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf([red, green, blue]: Triple): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linearOf(color: string): Triple {
  const channel = (from: number): number => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function hexOf(linear: Triple): string {
  const channel = (share: number): string => {
    const within = Math.min(1, Math.max(0, share))
    const written = within <= 0.0031308 ? within * 12.92 : 1.055 * within ** (1 / 2.4) - 0.055
    return Math.round(written * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${linear.map(channel).join('')}`
}

/** Björn Ottosson's matrices. */
function toOklab([red, green, blue]: Triple): Triple {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ]
}

function fromOklab([lightness, a, b]: Triple): Triple {
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}
