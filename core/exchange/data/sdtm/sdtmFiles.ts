import type { SdtmFormatId } from '#core/dataset/formats.ts'
import { wantedStudy } from '#core/dataset/tables.ts'
import type { DataTable } from '#core/dataset/table.ts'
import { namedFields } from '#core/dataset/sdtm/checkMapping.ts'

import { ByteBlock } from '../byteBlock.ts'
import type { WriteNote, WriteOptions, WrittenFile } from '../contract.ts'
import { writeDatasetJsonTables } from '../datasetJson.ts'
import { writeXport5Tables } from '../xport/xport.ts'
import { defineText } from './defineXml.ts'
import { DomainTable } from './domainTable.ts'
import type { PlannedStudy, SdtmStudy } from './domainTable.ts'
import { PagePlans, leavingFields } from './pageReader.ts'

/** The files of SDTM: a data set for each table, and the define.xml that tells of them. */

/**
 * The tables that a mapping makes of a data set. Whatever shape and whatever values the definition asks for elsewhere,
 * here it is codes, and the words of missing reasons.
 */
export function sdtmTables(of: SdtmStudy): readonly DomainTable[] {
  const planned = planStudy(of)
  return of.mapping.domains.map((domain) => new DomainTable(planned, domain))
}

function planStudy(of: SdtmStudy): PlannedStudy {
  const definition = { ...of.leaving.definition, shape: 'long', values: 'codes', reasons: true } as const
  const leaving = { ...of.leaving, definition }
  return { ...of, study: wantedStudy(of.study, leaving), leaving, plans: new PagePlans(leaving) }
}

/** Fields that leave and that no table of SDTM has. */
export function unmappedFields(of: SdtmStudy): readonly WriteNote[] {
  const { study, mapping, plans } = planStudy(of)
  const used = new Set(
    mapping.domains.flatMap(({ sources }) =>
      sources.flatMap((source) =>
        [...namedFields(source)].flatMap(([, field]) => [
          `${source.page} ${field}`,
          `${source.page} ${source.table ?? ''}.${field}`,
        ]),
      ),
    ),
  )
  return study.pages.flatMap((page) =>
    leavingFields(plans.planOf(page))
      .filter((field) => !used.has(`${page.code} ${field}`))
      .map((variable) => ({ kind: 'field-not-mapped', table: page.code, variable }) as const),
  )
}

interface SdtmFiles {
  readonly format: SdtmFormatId
  /** The tables, and the same as they are to be gone through. */
  readonly tables: readonly DomainTable[]
  readonly read: readonly DataTable[]
  readonly of: SdtmStudy
}

/** Writes them; define.xml comes last, when all values have been seen. */
export async function* writeSdtm(
  { format, tables, read, of }: SdtmFiles,
  options: WriteOptions,
): AsyncGenerator<WrittenFile> {
  const study = { ...options, name: studyOid(of.mapping.study) }
  const write = format === 'sdtm-xport5' ? writeXport5Tables : writeDatasetJsonTables
  for await (const file of write(read, study)) {
    // The program that reads tables in SAS and names their codes: here define.xml has them.
    if (file.name.endsWith('.sas')) continue
    yield { ...file, name: file.name.toLowerCase() }
  }
  for (const table of tables) for (const note of table.notes()) options.note(note)
  for (const note of unmappedFields(of)) options.note(note)
  yield { name: 'define.xml', chunks: textChunk(defineText(tables, of, { ...study, format })) }
}

/** STUDYID as an identifier of XML's documents. */
function studyOid(study: string): string {
  return study.replaceAll(/[^A-Za-z0-9_.-]/g, '_')
}

async function* textChunk(text: string): AsyncGenerator<Uint8Array> {
  const block = new ByteBlock()
  block.putText(text)
  yield await Promise.resolve(block.take())
}
