import type { JsonValue } from '#core/json.ts'
import type { EntryTarget, ItemContent } from '#core/sync/entryChange.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import { patientAct, pageAct, queueAt } from '#tests/scenarios/support/drafts.ts'
import { conflictsOf } from '#tests/scenarios/support/facts.ts'
import { Tablet } from '#tests/scenarios/support/ward.ts'
import type { Server } from '#tests/scenarios/support/ward.ts'
import type { World } from '#tests/server/support/world.ts'
import { change, vitals } from '#tests/server/support/world.ts'
import { newId } from '#core/ids.ts'

/** What a ward does before and after a backup, for the drills that restore it. */

export type Study = Pick<World, 'study'>
export type Ask = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Tablets by whoever is at them. */
export interface Staffed {
  readonly tablet: Tablet
  readonly account: string
}

/** A new tablet at which somebody has signed in. */
export async function staffed(server: Server, account: string): Promise<Staffed> {
  const tablet = await Tablet.unpacked(server)
  await tablet.signIn(account)
  return { tablet, account }
}

/** Enrols a patient at a tablet with a number of its block. */
export async function enrolAt({ study }: Study, tablet: Tablet, initials: string): Promise<string> {
  const identity = { name: `病人${initials}`, mobile: null, email: null, birthDate: null }
  const { projectId, north } = study
  return valueOf(
    await tablet.device.enrolPatient({ projectId, centerId: north, initials, sex: 'F', enrolledOn: null, identity }),
  ).patientId
}

/** Enrols a patient without a number: it comes from the server. */
async function enrolUnnumbered(world: Study, tablet: Tablet, initials: string): Promise<string> {
  const id = newId()
  const { projectId, north } = world.study
  const identity = { name: `病人${initials}`, mobile: null, email: null, birthDate: null }
  const body = {
    id,
    projectId,
    centerId: north,
    no: null,
    mark: '7F3A',
    initials,
    sex: null,
    enrolledOn: null,
    identity,
  }
  await queueAt(tablet, patientAct(world, 'patient.save', id, body))
  return id
}

async function submit(tablet: Tablet, patientId: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const page = await tablet.open(patientId)
  for (const [field, text] of Object.entries(fields)) page.type(field, text)
  await page.submit()
}

/** A new repeat of the event page. */
export async function report(world: Study, tablet: Tablet, patientId: string, term: string): Promise<EntryTarget> {
  const target = { ...vitals(world, patientId), pageId: world.study.eventId, pageRepeat: newId() }
  await queueAt(tablet, pageAct(world, 'entry.insert', target, change(target, { term })))
  return target
}

/** Decides a conflict for the value that waited. */
export async function decideForMine(
  world: Study,
  tablet: Tablet,
  patientId: string,
  conflict: { readonly id: string; readonly server: JsonValue; readonly mine: JsonValue },
): Promise<void> {
  const target = vitals(world, patientId)
  const content = (value: JsonValue): ItemContent => ({ value, missing: null })
  const reason = { code: 'adjudication', text: '' } as const
  const body = {
    target,
    conflictId: conflict.id,
    choice: 'mine' as const,
    seen: content(conflict.server),
    to: content(conflict.mine),
    reason,
  }
  await queueAt(tablet, pageAct(world, 'conflict.resolve', target, body))
}

/** Everybody in turn, twice: what the last one sends reaches the first. */
export async function everybodySyncs(tablets: readonly Staffed[]): Promise<void> {
  for (const { tablet } of [...tablets, ...tablets]) await tablet.sync()
}

/**
 * After the restore whoever was signed in signs in anew, and the tablets have several contacts, one after the other.
 */
export async function comeBack(tablets: readonly Staffed[]): Promise<void> {
  for (const { tablet, account } of tablets) {
    tablet.comeBack()
    await tablet.signIn(account)
    await tablet.sync()
  }
  await everybodySyncs(tablets)
}

export interface Days {
  /** A patient of each tablet's own. */
  readonly patients: readonly string[]
  /** One whom everybody writes about. */
  readonly shared: string
}

/** The day that is in the backup. */
export async function dayBefore(world: Study, tablets: readonly Staffed[]): Promise<Days> {
  const patients: string[] = []
  for (const [place, { tablet }] of tablets.entries()) {
    const patient = await enrolAt(world, tablet, `E${place}`)
    await tablet.enter(patient, 'height', String(160 + place))
    patients.push(patient)
  }
  await everybodySyncs(tablets)
  return { patients, shared: patients[0] ?? '' }
}

/**
 * The day that is lost with the server: enrolments with leased numbers and without, saves, submits, repeats, a conflict
 * and its decision.
 */
export async function dayLost(
  world: Study,
  tablets: readonly Staffed[],
  ask: Ask,
  { patients, shared }: Days,
): Promise<void> {
  for (const [place, { tablet }] of tablets.entries()) {
    const numbered = await enrolAt(world, tablet, `L${place}`)
    await submit(tablet, numbered, { height: '171', weight: '70' })
    await report(world, tablet, numbered, '头痛')
    await tablet.enter(await enrolUnnumbered(world, tablet, `U${place}`), 'note', `无号${place}`)
    await tablet.enter(patients[place] ?? '', 'weight', String(60 + place))
  }
  await everybodySyncs(tablets)
  const [one, two, three] = tablets
  if (one === undefined || two === undefined || three === undefined) throw new Error('three tablets are needed')
  // Two write what neither has seen of the other, and one decides.
  await one.tablet.enter(shared, 'note', '晨起')
  await two.tablet.enter(shared, 'note', '餐后')
  await two.tablet.enter(shared, 'contact', '家属')
  await everybodySyncs(tablets)
  const [conflict] = await conflictsOf({ rows: ask }, shared)
  if (conflict === undefined) throw new Error('nobody disagrees')
  await decideForMine(world, one.tablet, shared, conflict)
  await three.tablet.enter(patients[2] ?? '', 'note', '补记')
  await everybodySyncs(tablets)
}

/** All that people brought in, as it stands at the server. */
export interface Standing {
  readonly patients: Readonly<Record<string, object>>
  readonly entries: Readonly<
    Record<
      string,
      {
        readonly patientId: string
        readonly values: Readonly<Record<string, JsonValue>>
        readonly status: string
        readonly deleted: boolean
      }
    >
  >
  readonly conflicts: readonly string[]
  /** Outcomes by key. */
  readonly operations: Readonly<Record<string, string>>
}

/** @param devices whose work is looked at */
export async function standing(ask: Ask, devices: readonly string[]): Promise<Standing> {
  const patients = await ask<{ id: string }>('SELECT id, no, initials, name, deleted FROM patient')
  const entries = await ask<{
    id: string
    patientId: string
    values: Record<string, JsonValue>
    status: string
    deleted: boolean
  }>('SELECT id, patient_id AS "patientId", "values", status, deleted FROM entry')
  const conflicts = await ask<object>('SELECT entry_id, prop, server, mine, state FROM conflict')
  const operations = await ask<{ key: string; outcome: string }>(
    'SELECT key, outcome FROM operation WHERE device_id = ANY ($1)',
    [devices],
  )
  return {
    patients: Object.fromEntries(patients.map((row) => [row.id, row])),
    entries: Object.fromEntries(entries.map((row) => [row.id, row])),
    conflicts: conflicts.map((row) => JSON.stringify(row)).toSorted(),
    operations: Object.fromEntries(operations.map(({ key, outcome }) => [key, outcome])),
  }
}

/** Operations that were booked other than once, or whose audit rows stand at more than one place of the chain. */
export function doubled(ask: Ask): Promise<readonly object[]> {
  return ask(`
    SELECT op_key, count(DISTINCT seq) AS places FROM audit WHERE op_key IS NOT NULL GROUP BY op_key HAVING count(DISTINCT seq) <> 1
    UNION ALL SELECT o.key, 0 FROM operation o WHERE o.project_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audit a WHERE a.op_key = o.key)`)
}

/** What a tablet shows: every patient's number, and what is on their page. */
export async function shownAt(
  { study }: Study,
  tablet: Tablet,
): Promise<Readonly<Record<string, { readonly no: string | null; readonly values: object }>>> {
  const { patients } = valueOf(await tablet.device.patients(study.projectId, { size: 500 }))
  const shown: [string, { no: string | null; values: object }][] = []
  for (const { id, no } of patients) shown.push([id, { no, values: (await tablet.see(id)).data.values }])
  return Object.fromEntries(shown)
}
