import { unzipSync } from 'fflate'
import { runDataSets } from '#server/jobs/dataSetRun.ts'
import type { ClinicalRead } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import { readClinicalOdm } from '#core/exchange/clinical/odm/readClinicalOdm.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import { casebookFormatIds } from '#core/dataset/formats.ts'
import type { CasebookFormatId } from '#core/dataset/formats.ts'
import { textOfPdf } from '#tests/server/support/pdf.ts'
import type { Person, World } from '#tests/server/support/world.ts'
import { addMember, call, questionOn } from '#tests/server/support/world.ts'

import { AS_IS, archiveOf, ask, decide, define, filesIn } from '../support.ts'

/** Casebooks taken out by one person and approved by another. */

export function casebook(more: Partial<DataSetDefinition> = {}): DataSetDefinition {
  return define({ deidentify: AS_IS, formats: [...casebookFormatIds], ...more })
}

/** Somebody with all rights of an administrator over some centers. */
export async function addAdmin(world: World, name: string, centers: readonly string[]): Promise<Person> {
  const person = await addMember(world.services, world.study, name, 'ADMIN', centers)
  await world.services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [
    person.deviceId,
    person.userId,
  ])
  return person
}

/** The archive of a run of casebooks that one person asks for and the other approves. */
export async function takeArchive(
  world: World,
  who: Person,
  approver: Person,
  definition: DataSetDefinition,
): Promise<Buffer> {
  const { id } = await ask(world, who, definition)
  await decide(world, approver, id)
  await runDataSets(world.services)
  return archiveOf(world, who, id)
}

/** Its files as texts: of what is for paper, as a program that is not ours reads it. */
export async function takeCasebooks(
  world: World,
  who: Person,
  approver: Person,
  definition: DataSetDefinition = casebook(),
): Promise<Readonly<Record<string, string>>> {
  const archive = await takeArchive(world, who, approver, definition)
  const papers = Object.entries(papersIn(archive))
  const texts = await Promise.all(papers.map(async ([name, pdf]) => [name, await textOfPdf(pdf)] as const))
  return { ...filesIn(archive), ...Object.fromEntries(texts) }
}

/** The PDF of an archive, by their names. */
export function papersIn(archive: Uint8Array): Readonly<Record<string, Uint8Array>> {
  return unzipSync(archive, { filter: ({ name }) => name.endsWith('.pdf') })
}

/** What our reader finds in the ODM of an archive. */
export function readOf(files: Readonly<Record<string, string>>, format: CasebookFormatId): ClinicalRead {
  const read = readClinicalOdm(files[`${format}/data.xml`] ?? '')
  if (!read.ok) throw new Error(`${format}: ${read.error.kind}`)
  return read.data
}

/** Something is asked about a field of the vital signs, or what `part` names. */
export async function asks(
  world: World,
  patientId: string,
  more: Partial<ReturnType<typeof questionOn>> = {},
  who: Person = world.people.monitor,
): Promise<void> {
  const question = questionOn(world, patientId, more)
  await call(world, who, 'query.raise', { body: question })
}
