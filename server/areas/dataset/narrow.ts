import { fail } from '#core/api/errors.ts'
import type { DataSetFacts } from '#core/api/calls/data/dataset.ts'
import { foundOf } from '#core/dataset/definition.ts'
import type { DataSetDefinition } from '#core/dataset/definition.ts'
import type { Membership } from '#server/access.ts'
import { allSubjects } from '#server/areas/search/find.ts'
import { isIdentifying } from '#server/areas/search/searchFields.ts'
import { listSearches } from '#server/areas/search/store.ts'
import type { Queryable } from '#server/database/transaction.ts'

/** Data sets of the subjects that a search finds. */

/**
 * A definition with the subjects whom its search finds now, as its reader may search. They are those of the instant
 * that is read.
 *
 * @throws ApiFailure invalid for a condition that asks about what identifies a person (it would stand in the data set,
 *   and in the record of each run) or that the study does not know any more; forbidden for a field that is masked
 */
export async function narrowToFound(
  connection: Queryable,
  member: Membership,
  definition: DataSetDefinition,
): Promise<DataSetDefinition> {
  const { patients } = definition
  const found = foundOf(definition)
  if (found === null) return definition
  await requireNeutral(connection, member, definition)
  const ids = await allSubjects(connection, member, found.condition)
  if (patients === null) return { ...definition, patients: [...ids] }
  const known = new Set(ids)
  return { ...definition, patients: patients.filter((id) => known.has(id)) }
}

/** @throws ApiFailure invalid for a condition that asks about what identifies a person */
export async function requireNeutral(
  connection: Queryable,
  { projectId }: Pick<Membership, 'projectId'>,
  definition: Pick<DataSetDefinition, 'found'>,
): Promise<void> {
  const found = foundOf(definition)
  if (found !== null && (await isIdentifying(connection, projectId, found.condition)))
    throw fail('invalid', { fields: [{ path: 'body.definition.found', code: 'identifying' }] })
}

/** Kept searches that a data set can be narrowed down by. */
export async function searchesFor(connection: Queryable, member: Membership): Promise<DataSetFacts['searches']> {
  if (!member.permissions.has('search_view')) return []
  const searches = []
  for (const { id, name, condition } of await listSearches(connection, member))
    if (!(await isIdentifying(connection, member.projectId, condition))) searches.push({ id, name, condition })
  return searches
}
