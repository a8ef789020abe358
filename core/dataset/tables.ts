import { ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'

import { subjectFacts, subjectKeys } from './aboutColumns.ts'
import { flatTable } from './flatTable.ts'
import { cellsOf, longTables } from './longTables.ts'
import { UniqueNames } from './pageColumns.ts'
import type { Leaving } from './pagePlan.ts'
import { retiredTable } from './retiredTable.ts'
import { leavingSubjects } from './rowsOf.ts'
import type { Reading } from './rowsOf.ts'
import type { StudyPages } from './source.ts'
import type { DataTable, Row } from './table.ts'
import { dataWord } from './words.ts'

/** All tables of a data set. */

/** The study of the pages that a definition asks for. */
export function wantedStudy(study: StudyPages, { definition }: Pick<Leaving, 'definition'>): StudyPages {
  const { pages } = definition
  if (pages === null) return study
  const wanted = new Set(pages.map(({ pageId }) => pageId))
  return {
    pages: study.pages.filter(({ pageId }) => wanted.has(pageId)),
    places: study.places.filter(({ pageId }) => wanted.has(pageId)),
  }
}

/**
 * The tables of a data set, in the order in which they are written.
 *
 * @returns `too_wide` where the flat shape has more variables than a program can work with
 */
export async function tablesOf(
  study: StudyPages,
  leaving: Leaving,
  reading: Reading,
): Promise<Result<readonly DataTable[], 'too_wide'>> {
  const names = new UniqueNames(['subjects', 'retired', 'dictionary', 'flat'])
  const wanted = wantedStudy(study, leaving)
  const retired = retiredTable(wanted.pages, leaving, reading, 'retired')
  if (leaving.definition.shape === 'flat') {
    const flat = await flatTable(wanted, leaving, reading, 'flat')
    return flat.ok ? ok([flat.value, retired]) : flat
  }
  return ok([subjectTable(leaving, reading), ...longTables(wanted.pages, leaving, reading, names), retired])
}

function subjectTable({ definition, isIdentifying }: Leaving, reading: Reading): DataTable {
  const { language, deidentify } = definition
  const told = [
    ...subjectKeys(language, deidentify.on),
    ...subjectFacts(language, { isDeidentified: deidentify.on, isIdentifying }),
  ]
  return {
    name: 'subjects',
    label: dataWord('subjects', language),
    variables: told.map(({ variable }) => variable),
    rows: () => subjectRows(reading, (who) => cellsOf(told, who)),
  }
}

async function* subjectRows(
  reading: Reading,
  rowOf: (who: ReturnType<typeof leavingSubjects>[number]) => Row,
): AsyncGenerator<readonly Row[]> {
  for await (const subjects of reading.source.subjects(null)) yield leavingSubjects(reading, subjects).map(rowOf)
}
