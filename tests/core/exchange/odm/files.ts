import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DefinitionResult, StudyDefinition } from '#core/exchange/definition.ts'
import type { SourceEncoding } from '#core/exchange/fileText.ts'
import { readOdm } from '#core/exchange/odm/read.ts'
import type { OdmOptions } from '#core/exchange/odm/write.ts'
import { writeOdm } from '#core/exchange/odm/write.ts'
import type { Column, PageOption } from '#core/form/definition/column.ts'

import { samplePath, samplesIn } from '../samples.ts'
import { structureErrors } from './structure.ts'

/** ODM files for tests: small ones in words, those of the samples, and whether a file is valid. */

export const ODM_SAMPLES = samplesIn('odm')

export function sample(name: string): string {
  return readFileSync(samplePath('odm', name), 'utf8')
}

export function decode(bytes: Uint8Array, encoding: SourceEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** A file of ODM 1.3.2 around definitions. */
export function odm1(
  definitions: string,
  { before = '', root = '' }: { readonly before?: string; readonly root?: string } = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${before}
<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" ODMVersion="1.3.2" FileType="Snapshot" FileOID="F" CreationDateTime="2026-01-01T00:00:00Z" ${root}>
<Study OID="S"><GlobalVariables><StudyName>S</StudyName><StudyDescription>S</StudyDescription><ProtocolName>S</ProtocolName></GlobalVariables>
<BasicDefinitions><MeasurementUnit OID="MU.KG" Name="kg"><Symbol><TranslatedText xml:lang="en">kg</TranslatedText></Symbol></MeasurementUnit></BasicDefinitions>
<MetaDataVersion OID="M" Name="M">${definitions}</MetaDataVersion></Study></ODM>`
}

/** A file of ODM 2.0 around definitions. */
export function odm2(definitions: string): string {
  return `<ODM xmlns="http://www.cdisc.org/ns/odm/v2.0" ODMVersion="2.0" FileType="Snapshot" FileOID="F" CreationDateTime="2026-01-01T00:00:00Z">
<Study OID="S" StudyName="S" ProtocolName="S"><MetaDataVersion OID="M" Name="M">${definitions}</MetaDataVersion></Study></ODM>`
}

/** One form with one group of items. `references` go before those to the items, which are asked for in their order. */
export function form(
  items: readonly (readonly [oid: string, attributes: string, content: string, reference?: string])[],
  more = '',
  repeating = 'No',
): string {
  const references = items
    .map(([oid, , , reference = '']) => `<ItemRef ItemOID="${oid}" Mandatory="No" ${reference}/>`)
    .join('')
  const definitions = items
    .map(([oid, attributes, content]) => `<ItemDef OID="${oid}" Name="${oid}" ${attributes}>${content}</ItemDef>`)
    .join('')
  return `<FormDef OID="VS" Name="Vital signs" Repeating="No"><ItemGroupRef ItemGroupOID="IG" Mandatory="No"/></FormDef>
<ItemGroupDef OID="IG" Name="Signs" Repeating="${repeating}">${references}</ItemGroupDef>${definitions}${more}`
}

/** What a result must be where a definition is expected. */
export function definitionOf(result: DefinitionResult): StudyDefinition {
  if (!result.ok) throw new Error(`no definition: ${result.error.kind}`)
  return result.definition
}

export function read(text: string): StudyDefinition {
  return definitionOf(readOdm(text))
}

export function columnsOf({ column, group = [] }: PageOption): readonly Column[] {
  return [...column, ...group.flatMap((one) => one.column)]
}

/** The column of a field, wherever it stands; rows included. */
export function columnNamed({ pages }: StudyDefinition, prop: string): Column {
  const all = pages
    .flatMap(({ option }) => columnsOf(option))
    .flatMap((column) => [column, ...(column.children?.column ?? [])])
  const found = all.find((column) => column.prop === prop)
  if (found === undefined) throw new Error(`no field ${prop}: ${all.map((column) => column.prop).join(', ')}`)
  return found
}

export const VERSIONS: readonly OdmOptions['version'][] = ['1.3.2', '2.0']

export function written(
  definition: Pick<StudyDefinition, 'pages' | 'folders'>,
  version: OdmOptions['version'],
): string {
  return writeOdm(definition, { version, studyName: 'Study', createdAt: '2026-01-01T00:00:00Z' }).text
}

/** Pages and visits, without lists that hold nothing: they say what their absence says. */
export function meaning({ pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>): unknown {
  return JSON.parse(
    JSON.stringify({ pages, folders }, (key, value: unknown) =>
      key === 'checks' && Array.isArray(value) && value.length === 0 ? undefined : value,
    ),
  )
}

const SCHEMAS: Readonly<Record<OdmOptions['version'], string>> = {
  '1.3.2': 'odm1-3-2/ODM1-3-2.xsd',
  '2.0': 'odm2-0/ODM.xsd',
}

/** Whether the schemas of CDISC are on this machine, and a program that reads them. */
const canValidate = existsSync(samplePath('xsd')) && spawnSync('xmllint', ['--version']).status === 0

/**
 * What is wrong with a file: by our own words always, and by the schema of CDISC where it is. Empty for a valid one.
 */
export function odmErrors(text: string, version: OdmOptions['version']): readonly string[] {
  return [...structureErrors(text, version), ...(canValidate ? schemaErrors(text, version) : [])]
}

function schemaErrors(text: string, version: OdmOptions['version']): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'zl-odm-'))
  const file = join(folder, 'out.xml')
  writeFileSync(file, text)
  const { status, stderr } = spawnSync(
    'xmllint',
    ['--noout', '--nonet', '--schema', samplePath('xsd', SCHEMAS[version]), file],
    { encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  return status === 0 ? [] : [stderr]
}
