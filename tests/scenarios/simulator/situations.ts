import type { Random } from './random.ts'
import type { PersonName, RowIntent } from './simTablet.ts'
import type { Act, PersonAct, Step } from './steps.ts'

/**
 * Situations to which people and faults seldom come by themselves, because several things have to happen in one order:
 * a history is brought to them on purpose, in the middle of all else. Whatever else is going wrong there goes on going
 * wrong.
 */

export const SITUATIONS = [
  'deletedUnseen',
  'builtOnWaiting',
  'withdrawnTyping',
  'ownPatientsOnly',
  'deathInSave',
] as const
/** Those to which every eighth history is brought: what they are about takes more than the chances of a ward. */
export const RARE_SITUATIONS = ['heldInOrder', 'commitWhilePulling'] as const
/** Where pages read each other. */
export type Situation = (typeof SITUATIONS)[number] | (typeof RARE_SITUATIONS)[number] | 'readWhileSaved' | 'rightEnds'

/** What a situation needs of the history that comes to it. */
export interface Stage {
  readonly random: Random
  /** A tablet, and another one. */
  readonly tablets: readonly [number, number]
  /** Counts values, so that each is entered once only. */
  readonly nextValue: () => number
}

/** The steps of a situation, and the tablets that are locked after it; the others that it used have no page open. */
export interface Written {
  readonly steps: readonly Step[]
  readonly locked: readonly number[]
}

/** Somebody who carries nothing for others in the end, so that what only they can do stays undone where they cannot. */
const NOT_CARRYING = ['lin', 'chen'] as const
/** Keeps the center on every tablet in the end. */
const COLLEAGUE: PersonName = 'wu'
const CRCS = ['lin', 'wu', 'chen'] as const

/** Sooner than anything that waits is tried again, and than the page saves by itself. */
const AT_ONCE_MS = 20
/** More steps than an app makes while somebody types: the page dies when they are done. */
const AFTER_ALL = 500

export function writeSituation(situation: Situation, stage: Stage): Written {
  switch (situation) {
    case 'deletedUnseen':
      return { steps: deletedUnseen(stage), locked: [] }
    case 'builtOnWaiting':
      return { steps: builtOnWaiting(stage), locked: [] }
    case 'withdrawnTyping':
      return { steps: withdrawnTyping(stage), locked: [] }
    case 'ownPatientsOnly':
      return { steps: ownPatientsOnly(stage), locked: [] }
    case 'deathInSave':
      return { steps: deathInSave(stage), locked: [stage.tablets[0]] }
    case 'heldInOrder':
      return { steps: heldInOrder(stage), locked: [] }
    case 'commitWhilePulling':
      return { steps: commitWhilePulling(stage), locked: [] }
    case 'readWhileSaved':
      return { steps: readWhileSaved(stage), locked: [] }
    case 'rightEnds':
      return { steps: rightEnds(stage), locked: [] }
  }
}

/**
 * Two tablets show one row. On the first somebody goes on in it; on the other, which has not fetched that, somebody
 * deletes it.
 */
function deletedUnseen({ random, tablets: [one, other], nextValue }: Stage): readonly Step[] {
  const patient = patientOf(random)
  const drug = (): string => `药${nextValue()}`
  const edit = (): RowIntent => ({
    change: 'edit',
    row,
    field: random.pick(['drug', 'dose']),
    text: String(nextValue()),
  })
  const row = random.whole(0, 3)
  const insert: RowIntent = { change: 'insert', order: `m${random.whole(10, 99)}`, drug: drug() }
  return inTime(random, [
    ...arrive(one, random.pick(CRCS)),
    { act: 'open', tablet: one, patient, page: 'vitals', repeat: 0 },
    { act: 'row', tablet: one, row: insert },
    { act: 'sync', tablet: one },
    { act: 'refresh', tablet: one },
    ...arrive(other, random.pick(CRCS)),
    { act: 'open', tablet: other, patient, page: 'vitals', repeat: 0 },
    { act: 'row', tablet: one, row: edit() },
    { act: 'sync', tablet: one },
    // What they enter there themselves is no news to whoever deletes it.
    ...(random.chance(0.3) ? [{ act: 'row', tablet: other, row: edit() } as const] : []),
    { act: 'row', tablet: other, row: { change: 'delete', row } },
    { act: 'sync', tablet: other },
    { act: 'leave', tablet: one },
    { act: 'leave', tablet: other },
  ])
}

/**
 * In a dead spot a save cannot be sent, and waits. Outside somebody goes on from it, and the app sends by itself what
 * does not wait.
 */
function builtOnWaiting({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  const field = random.pick(['weight', 'height', 'note'])
  const inRow = random.chance(0.4)
  const first: readonly PersonAct[] = inRow
    ? [{ act: 'row', tablet, row: { change: 'insert', order: 'a', drug: `药${nextValue()}` } }]
    : [
        { act: 'enter', tablet, field, entered: { how: 'text', text: `${60 + nextValue() / 100}` } },
        { act: 'save', tablet },
      ]
  const next: readonly PersonAct[] = inRow
    ? [{ act: 'row', tablet, row: { change: 'edit', row: 0, field: 'drug', text: `药${nextValue()}` } }]
    : [
        { act: 'enter', tablet, field, entered: { how: 'text', text: `${60 + nextValue() / 100}` } },
        { act: 'save', tablet },
      ]
  return [
    ...inTime(random, [
      ...arrive(tablet, random.pick(CRCS)),
      { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
    ]),
    ...atOnce([
      ...first,
      { act: 'network', tablet, connection: 'offline' },
      { act: 'sync', tablet },
      { act: 'network', tablet, connection: 'online' },
      ...next,
      { act: 'syncByItself', tablet },
      { act: 'leave', tablet },
    ]),
  ]
}

/** Somebody's page dies over what they type; before they are back, the center is theirs no more. */
function withdrawnTyping({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  const person = random.pick(NOT_CARRYING)
  const back = random.chance(0.3)
    ? [{ act: 'member', person, change: 'back' } as const, { act: 'sync', tablet } as const]
    : []
  return inTime(random, [
    ...arrive(tablet, person),
    { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
    { act: 'die', tablet, death: { of: 'page', after: AFTER_ALL }, during: typing(tablet, random, nextValue) },
    { act: 'member', person, change: random.pick(['center', 'center', 'pause']) },
    { act: 'signIn', tablet, person },
    { act: 'sync', tablet },
    ...back,
  ])
}

/** Of two who share a tablet one may see their own patients only, from now on. */
function ownPatientsOnly({ random, tablets: [tablet] }: Stage): readonly Step[] {
  const person = random.pick(NOT_CARRYING)
  return inTime(random, [
    ...arrive(tablet, COLLEAGUE),
    ...(random.chance(0.5) ? arrive(tablet, person) : []),
    { act: 'member', person, change: 'self' },
    { act: 'signIn', tablet, person },
    { act: 'sync', tablet },
    { act: 'sync', tablet },
  ])
}

/** The hand has rested, so that what was typed is safe; then the page dies between two steps of its save. */
function deathInSave({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  return inTime(random, [
    ...arrive(tablet, random.pick(CRCS)),
    { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
    {
      act: 'die',
      tablet,
      // The first step brings the typing to the disk.
      death: { of: 'page', after: random.whole(2, 6) },
      during: [...typing(tablet, random, nextValue), { act: 'save', tablet }],
    },
  ])
}

/** While the project is paused somebody enters an item, and enters it anew: both wait there, one for the other. */
function heldInOrder({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  const field = random.pick(['weight', 'height', 'note'])
  const entered = (): readonly PersonAct[] => [
    { act: 'enter', tablet, field, entered: { how: 'text', text: `${60 + nextValue() / 100}` } },
    { act: 'save', tablet },
    { act: 'sync', tablet },
  ]
  return inTime(random, [
    ...arrive(tablet, COLLEAGUE),
    { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
    { act: 'project', status: 'stop' },
    ...entered(),
    ...entered(),
    { act: 'project', status: 'process' },
    { act: 'leave', tablet },
  ])
}

/** What one tablet sends is booked while the other fetches, after the server has looked what there is for it. */
function commitWhilePulling({ random, tablets: [one, other], nextValue }: Stage): readonly Step[] {
  return inTime(random, [
    ...arrive(other, COLLEAGUE),
    ...arrive(one, COLLEAGUE),
    { act: 'open', tablet: one, patient: patientOf(random), page: 'vitals', repeat: 0 },
    ...typing(one, random, nextValue),
    { act: 'save', tablet: one },
    {
      act: 'together',
      holdCommit: false,
      holdPull: true,
      acts: [
        { act: 'sync', tablet: other },
        { act: 'sync', tablet: one },
      ],
    },
    { act: 'leave', tablet: one },
  ])
}

/**
 * A page arrives for the first time at the moment at which another arrives that it reads: neither is there yet for the
 * other.
 */
function readWhileSaved({ random, tablets: [one, other], nextValue }: Stage): readonly Step[] {
  const patient = random.whole(0, 1)
  return inTime(random, [
    ...arrive(one, COLLEAGUE),
    ...arrive(other, COLLEAGUE),
    { act: 'open', tablet: one, patient, page: 'vitals', repeat: 0 },
    { act: 'enter', tablet: one, field: 'weight', entered: { how: 'text', text: `${60 + nextValue() / 100}` } },
    { act: 'save', tablet: one },
    { act: 'repeat', tablet: other, patient, term: `事件${nextValue()}` },
    {
      act: 'together',
      holdCommit: true,
      acts: [
        { act: 'sync', tablet: other },
        { act: 'sync', tablet: one },
      ],
    },
    { act: 'leave', tablet: one },
  ])
}

/**
 * A right ends under an open page, with typing before it, without a network, and after it; mostly it comes back, and
 * they go on where they were.
 */
function rightEnds(stage: Stage): readonly Step[] {
  const { random } = stage
  const way = random.whole(0, 5)
  if (way === 0) return endsWithSession(stage)
  return way === 1 ? endsOverKeystroke(stage) : endsWhileWorking(stage)
}

/**
 * All is sent, and the page stays open. With the session the center goes: who signs in anew over the page gets no keys
 * of it.
 */
function endsWithSession({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  const person = random.pick(NOT_CARRYING)
  return inTime(random, [
    ...arrive(tablet, person),
    { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
    ...(random.chance(0.5) ? [...typing(tablet, random, nextValue), { act: 'save', tablet } as const] : []),
    { act: 'sync', tablet },
    { act: 'sessions', person },
    { act: 'member', person, change: random.pick(['center', 'pause']) },
    { act: 'sync', tablet },
    { act: 'sync', tablet },
    ...typing(tablet, random, nextValue),
    { act: 'sync', tablet },
    { act: 'leave', tablet },
  ])
}

/** The tablet hears that the center is gone before the last keystroke is on its disk. */
function endsOverKeystroke({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  const person = random.pick(NOT_CARRYING)
  const keystroke = typing(tablet, random, nextValue).slice(0, 1)
  return [
    ...inTime(random, [
      ...arrive(tablet, person),
      { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
      { act: 'sync', tablet },
      { act: 'member', person, change: random.pick(['center', 'pause']) },
    ]),
    ...[...keystroke, { act: 'syncByItself', tablet } as const].map((what) => ({ after: 0, what })),
    ...inTime(random, [...typing(tablet, random, nextValue), { act: 'sync', tablet }, { act: 'leave', tablet }]),
  ]
}

function endsWhileWorking({ random, tablets: [tablet], nextValue }: Stage): readonly Step[] {
  const person = random.pick(NOT_CARRYING)
  const [ends, back] = random.pick(endings(person, tablet))
  const types = (): readonly Act[] => typing(tablet, random, nextValue).slice(0, random.whole(1, 2))
  const hears = (): readonly Act[] =>
    Array.from(
      { length: random.whole(1, 3) },
      () => [{ act: random.pick(['sync', 'syncByItself'] as const), tablet }, ...types()] as const,
    ).flat()
  const deadSpot = random.chance(0.6)
  return inTime(random, [
    ...arrive(tablet, person),
    { act: 'open', tablet, patient: patientOf(random), page: 'vitals', repeat: 0 },
    ...types(),
    ...(random.chance(0.5) ? [{ act: 'save', tablet } as const] : []),
    ...(deadSpot ? [{ act: 'network', tablet, connection: 'offline' } as const, ...types()] : []),
    ends,
    ...types(),
    ...(deadSpot ? [{ act: 'network', tablet, connection: 'online' } as const] : []),
    ...hears(),
    ...(random.chance(0.6) ? [back, ...hears()] : []),
    { act: 'leave', tablet },
  ])
}

/** How rights end, and how they come back. */
function endings(person: PersonName, tablet: number): readonly [readonly [Act, Act], ...(readonly [Act, Act])[]] {
  const member = (change: 'pause' | 'role' | 'center' | 'self'): readonly [Act, Act] => [
    { act: 'member', person, change },
    { act: 'member', person, change: 'back' },
  ]
  return [
    member('pause'),
    member('center'),
    member('role'),
    member('self'),
    [
      { act: 'project', status: 'stop' },
      { act: 'project', status: 'process' },
    ],
    [
      { act: 'device', tablet, blocked: true },
      { act: 'device', tablet, blocked: false },
    ],
    [
      { act: 'sessions', person },
      { act: 'signIn', tablet, person },
    ],
    [
      { act: 'account', person, status: 'disabled' },
      { act: 'account', person, status: 'active' },
    ],
    [{ act: 'release' }, { act: 'sync', tablet }],
  ]
}

function typing(tablet: number, random: Random, nextValue: () => number): readonly PersonAct[] {
  const field = random.pick(['weight', 'height', 'note'])
  return [
    { act: 'enter', tablet, field, entered: { how: 'text', text: `${60 + nextValue() / 100}` } },
    { act: 'rest', tablet },
  ]
}

/** Somebody begins at a tablet, which has a network, and fetches what there is. */
function arrive(tablet: number, person: PersonName): readonly Act[] {
  return [
    { act: 'network', tablet, connection: 'online' },
    { act: 'signIn', tablet, person },
    { act: 'sync', tablet },
  ]
}

/** Those that all tablets show. */
function patientOf(random: Random): number {
  return random.whole(0, 2)
}

function inTime(random: Random, acts: readonly Act[]): readonly Step[] {
  return acts.map((what) => ({ after: random.whole(50, 2000), what }))
}

function atOnce(acts: readonly Act[]): readonly Step[] {
  return acts.map((what) => ({ after: AT_ONCE_MS, what }))
}
