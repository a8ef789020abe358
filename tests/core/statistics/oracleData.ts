/** Data sets for R and for our own statistics: made by a seeded generator, written as lines that R reads. */

export interface OracleSet {
  readonly name: string
  readonly kind: 'one' | 'two' | 'paired' | 'groups' | 'table' | 'survival'
  readonly lists: Readonly<Record<string, readonly (number | null)[]>>
}

/** The lines of sets. */
export function oracleText(sets: readonly OracleSet[]): string {
  return sets
    .flatMap(({ name, kind, lists }) =>
      Object.entries(lists).map(([list, values]) =>
        [name, kind, list, ...values.map((value) => (value === null ? 'NA' : String(value)))].join(' '),
      ),
    )
    .map((line) => `${line}\n`)
    .join('')
}

/** The sets of lines. */
export function readOracleSets(text: string): readonly OracleSet[] {
  const sets = new Map<string, OracleSet>()
  for (const line of text.trimEnd().split('\n')) {
    const [name = '', kind = '', list = '', ...values] = line.split(' ')
    if (!isKind(kind)) throw new RangeError(`no kind of data: ${kind}`)
    const lists = sets.get(name)?.lists ?? {}
    const numbers = values.map((value) => (value === 'NA' ? null : Number(value)))
    sets.set(name, { name, kind, lists: { ...lists, [list]: numbers } })
  }
  return [...sets.values()]
}

function isKind(kind: string): kind is OracleSet['kind'] {
  return ['one', 'two', 'paired', 'groups', 'table', 'survival'].includes(kind)
}

/** A seeded generator (mulberry32): between 0 and 1. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 4_294_967_296
  }
}

/** Shapes of random values. Steps are fractions of two, so that ties are ties in binary too. */
export class OracleRandom {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  share(): number {
    return this.#next()
  }

  whole(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1))
  }

  normal(mean = 0, sd = 1): number {
    return mean + sd * Math.sqrt(-2 * Math.log(this.#next())) * Math.cos(2 * Math.PI * this.#next())
  }

  normals(n: number, mean = 0, sd = 1): number[] {
    return Array.from({ length: n }, () => this.normal(mean, sd))
  }

  /** Log-normal: a long tail to the right. */
  skewed(n: number, scale = 1): number[] {
    return Array.from({ length: n }, () => scale * Math.exp(this.normal()))
  }

  /** Few different values. */
  tied(n: number, mean = 5, step = 0.5): number[] {
    return Array.from({ length: n }, () => Math.round(this.normal(mean, 1.5) / step) * step)
  }

  withGaps(values: readonly number[], share = 0.2): (number | null)[] {
    return values.map((value) => (this.#next() < share ? null : value))
  }

  table(rows: number, columns: number, most: number): number[][] {
    return Array.from({ length: rows }, () => Array.from({ length: columns }, () => this.whole(0, most)))
  }

  /** Times and events of groups; times are whole steps of days, or anything where `step` is null. */
  survival(sizes: readonly number[], step: number | null): Record<string, number[]> {
    return Object.fromEntries(
      sizes.flatMap((n, group) => {
        const raw = Array.from({ length: n }, () => -Math.log(this.#next()) * (20 + 15 * group))
        const times = raw.map((time) => (step === null ? time : Math.ceil(time / step) * step))
        const events = times.map(() => (this.#next() < 0.65 ? 1 : 0))
        return [
          [`time${group + 1}`, times],
          [`event${group + 1}`, events],
        ]
      }),
    )
  }
}

/** The sets of fixtures/data.txt. Another generator would need other results. */
export function fixtureSets(): readonly OracleSet[] {
  const random = new OracleRandom(20261130)
  const table = (name: string, rows: readonly (readonly number[])[]): OracleSet => ({
    name,
    kind: 'table',
    lists: Object.fromEntries(rows.map((row, index) => [`r${index + 1}`, row])),
  })
  const base = random.normals(40, 100, 15)
  return [
    { name: 'one-missing', kind: 'one', lists: { x: random.withGaps(random.normals(60, 50, 9)) } },
    { name: 'one-constant', kind: 'one', lists: { x: Array.from({ length: 12 }, () => 4.7) } },
    { name: 'one-single', kind: 'one', lists: { x: [3.25] } },
    { name: 'one-three', kind: 'one', lists: { x: [2.5, 9.25, 3] } },
    { name: 'one-large', kind: 'one', lists: { x: random.normals(3000, 5, 2) } },
    { name: 'one-far-from-zero', kind: 'one', lists: { x: random.tied(50, 1_000_000_005, 0.25) } },
    { name: 'two-normal', kind: 'two', lists: { x: random.normals(25, 10, 2), y: random.normals(31, 11.2, 3) } },
    { name: 'two-tiny', kind: 'two', lists: { x: [1.5, 2.25], y: [4, 9.5, 3.75] } },
    { name: 'two-ties', kind: 'two', lists: { x: random.tied(30), y: random.tied(26, 5.8) } },
    { name: 'two-skewed', kind: 'two', lists: { x: random.skewed(45), y: random.skewed(49, 1.8) } },
    { name: 'two-large', kind: 'two', lists: { x: random.normals(700, 0, 1), y: random.normals(800, 0.1, 1.4) } },
    {
      name: 'two-missing',
      kind: 'two',
      lists: { x: random.withGaps(random.normals(20)), y: random.withGaps(random.normals(24, 1)) },
    },
    { name: 'two-tail', kind: 'two', lists: { x: random.normals(200, 0, 1), y: random.normals(220, 6, 1.1) } },
    { name: 'two-far-tail', kind: 'two', lists: { x: random.normals(45, 0, 1), y: random.normals(48, 40, 1) } },
    { name: 'two-constant', kind: 'two', lists: { x: [5, 5, 5, 5], y: [5, 5, 5] } },
    { name: 'two-apart', kind: 'two', lists: { x: random.normals(49, 0, 1), y: random.normals(49, 90, 1) } },
    { name: 'paired-normal', kind: 'paired', lists: { x: base, y: base.map((value) => value + random.normal(-4, 9)) } },
    { name: 'paired-small', kind: 'paired', lists: { x: random.normals(8, 3), y: random.normals(8, 3.5) } },
    { name: 'paired-ties', kind: 'paired', lists: { x: random.tied(35), y: random.tied(35, 5.6) } },
    {
      name: 'paired-tail',
      kind: 'paired',
      lists: { x: base, y: base.map((value) => 2 * value + random.normal(100, 0.5)) },
    },
    { name: 'paired-large', kind: 'paired', lists: { x: random.skewed(900), y: random.skewed(900, 1.1) } },
    { name: 'paired-constant', kind: 'paired', lists: { x: [2, 2, 2, 2, 2], y: [1, 3, 4, 4, 9] } },
    {
      name: 'groups-normal',
      kind: 'groups',
      lists: { a: random.normals(20), b: random.normals(25, 0.6, 2), c: random.normals(18, 1) },
    },
    {
      name: 'groups-ties',
      kind: 'groups',
      lists: { a: random.tied(15), b: random.tied(12, 6), c: random.tied(20, 5.2), d: random.tied(9, 7) },
    },
    {
      name: 'groups-tail',
      kind: 'groups',
      lists: { a: random.normals(80), b: random.normals(70, 9), c: random.normals(60, -7) },
    },
    { name: 'groups-constant', kind: 'groups', lists: { a: [1, 1, 1], b: [1, 1], c: [1, 1, 1] } },
    table('table-usual', [
      [23, 14],
      [11, 29],
    ]),
    table('table-zero', [
      [7, 0],
      [3, 9],
    ]),
    table('table-few', [
      [1, 3],
      [4, 2],
    ]),
    table('table-tail', [
      [250, 12],
      [17, 310],
    ]),
    table('table-large', [
      [15_200, 14_800],
      [14_100, 15_900],
    ]),
    table('table-three-by-two', [
      [5, 2],
      [1, 6],
      [3, 4],
    ]),
    table('table-three-by-three', [
      [4, 1, 3],
      [0, 6, 2],
      [5, 2, 4],
    ]),
    table('table-four-by-three', [
      [9, 4, 1],
      [3, 8, 2],
      [5, 5, 5],
      [1, 2, 12],
    ]),
    { name: 'survival-days', kind: 'survival', lists: random.survival([40, 45], 1) },
    { name: 'survival-three', kind: 'survival', lists: random.survival([25, 30, 22], null) },
    {
      name: 'survival-half',
      kind: 'survival',
      lists: { time1: [1, 2, 3, 4], event1: [1, 1, 1, 0], time2: [2, 5, 6, 8], event2: [1, 0, 1, 1] },
    },
    {
      name: 'survival-tail',
      kind: 'survival',
      lists: {
        time1: Array.from({ length: 90 }, (_, i) => 1 + i / 64),
        event1: Array.from({ length: 90 }, () => 1),
        time2: Array.from({ length: 80 }, (_, i) => 50 + i / 4),
        event2: Array.from({ length: 80 }, (_, i) => (i % 3 === 0 ? 1 : 0)),
      },
    },
  ]
}

/** Sets of every kind that nobody has seen, for R itself. */
export function randomSets(seed: number): readonly OracleSet[] {
  const random = new OracleRandom(seed)
  const values = (n: number): number[] => {
    const shapes = [random.normals(n, random.normal(0, 3), 1 + random.share()), random.skewed(n), random.tied(n)]
    return shapes[random.whole(0, shapes.length - 1)] ?? []
  }
  const size = () => random.whole(4, 70)
  const sets = Array.from({ length: 12 }, (_, index): OracleSet[] => {
    const [n, m] = [size(), size()]
    const [rows, columns] = index % 2 === 0 ? [2, 2] : [random.whole(2, 4), 3]
    const counts = random.table(rows, columns, index % 2 === 0 ? 40 : 6).map((row) => row.map((count) => count + 1))
    return [
      { name: `one-${index}`, kind: 'one', lists: { x: random.withGaps(values(random.whole(8, 70))) } },
      { name: `two-${index}`, kind: 'two', lists: { x: values(n), y: values(m) } },
      { name: `paired-${index}`, kind: 'paired', lists: { x: values(n), y: values(n) } },
      { name: `groups-${index}`, kind: 'groups', lists: { a: values(n), b: values(m), c: values(size()) } },
      { name: `table-${index}`, kind: 'table', lists: Object.fromEntries(counts.map((row, at) => [`r${at}`, row])) },
      {
        name: `survival-${index}`,
        kind: 'survival',
        // R takes times for the same that are less than 1.5e-8 of their mean apart.
        lists: random.survival([n, m, size()].slice(0, 2 + (index % 2)), index % 3 === 0 ? 1 : 1 / 1024),
      },
    ]
  })
  return sets.flat()
}
