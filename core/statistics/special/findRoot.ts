/**
 * The root of a function that changes its sign once between two places, by Brent's method, as close as doubles allow.
 * NaN where the sign does not change or the function is not a number.
 */
export function findRoot(evaluate: (x: number) => number, from: number, to: number): number {
  let [a, b] = [from, to]
  let [fa, fb] = [evaluate(a), evaluate(b)]
  if (fa === 0) return a
  if (fb === 0) return b
  if (!(fa * fb < 0 || Math.sign(fa) * Math.sign(fb) < 0)) return Number.NaN
  let [c, fc, step, before] = [a, fa, b - a, b - a]
  for (let count = 0; count < 1000; count += 1) {
    if (Math.abs(fc) < Math.abs(fb)) {
      ;[a, b, c] = [b, c, b]
      ;[fa, fb, fc] = [fb, fc, fb]
    }
    const tolerance = 2 * Number.EPSILON * Math.abs(b) + Number.MIN_VALUE
    const half = (c - b) / 2
    if (Math.abs(half) <= tolerance || fb === 0) return b
    const guess =
      Math.abs(before) >= tolerance && Math.abs(fa) > Math.abs(fb) ? interpolate({ a, b, c, fa, fb, fc }) : half
    const isInside = guess * half > 0 && Math.abs(guess) < Math.min(1.5 * Math.abs(half), Math.abs(before) / 2)
    ;[before, step] = isInside ? [step, guess] : [half, half]
    ;[a, fa] = [b, fb]
    b += Math.abs(step) > tolerance ? step : half > 0 ? tolerance : -tolerance
    fb = evaluate(b)
    if (Number.isNaN(fb)) return Number.NaN
    if (Math.sign(fb) === Math.sign(fc)) {
      ;[c, fc] = [a, fa]
      step = b - a
      before = step
    }
  }
  return Number.NaN
}

interface Points {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly fa: number
  readonly fb: number
  readonly fc: number
}

/** The step from b to the root of a line through two points, or of an inverse parabola through three. */
function interpolate({ a, b, c, fa, fb, fc }: Points): number {
  const s = fb / fa
  if (a === c) return ((b - c) * s) / (1 - s)
  const [q, r] = [fa / fc, fb / fc]
  const above = s * ((c - b) * q * (q - r) - (b - a) * (r - 1))
  return -above / ((q - 1) * (r - 1) * (s - 1))
}
