import type { Variable } from '#core/dataset/table.ts'
import type { MissingCode } from '#core/form/definition/value.ts'
import { MISSING_CODES } from '#core/form/definition/value.ts'
import type { Language } from '#core/language.ts'

import { encodePieces } from '../byteBlock.ts'
import { codeNumber } from '../cells.ts'
import type { WriteOptions } from '../contract.ts'
import { shortenNames } from '../shortNames.ts'
import { dataWords } from '../words.ts'
import type { XportTable, XportVariable, XportVersion } from './xportVariables.ts'
import { listXportVariables } from './xportVariables.ts'

/**
 * The program that brings transport files into SAS: whole labels, and formats that show codes and special missing
 * values as words. Transport files cannot hold formats of one's own.
 */

/** Names of formats have 32 characters, of which one is the `$` of those for texts. They do not end in a digit. */
const FORMAT_NAME = 29

const LETTERS: Readonly<Record<MissingCode, string>> = { ND: 'D', UNK: 'U', NA: 'N' }

/** The bytes of the program. */
export async function* writeSasProgram(
  tables: readonly XportTable[],
  options: WriteOptions,
  version: XportVersion,
): AsyncGenerator<Uint8Array> {
  yield* encodePieces(listLines(tables, options, version))
}

function* listLines(tables: readonly XportTable[], options: WriteOptions, version: XportVersion): Generator<string> {
  // What is shortened was told when the files were written.
  const quiet: WriteOptions = { ...options, note: () => undefined }
  const all = tables.map((written) => ({
    written,
    variables: listXportVariables(written.table, null, version, quiet),
  }))
  const coded = all.flatMap(({ written, variables }) =>
    variables
      .map((variable) => ({ key: keyOf(written, variable), table: written.table.name, variable }))
      .filter(hasFormat),
  )
  const names = shortenNames(
    coded.map(({ key }) => key),
    { most: FORMAT_NAME, reserved: new Set(['ZL_REASON']) },
  )
  const formats = new Map(coded.map(({ key }, at) => [key, `${names[at] ?? key}_f`]))
  yield `/* ${comment(options.title)} ${options.createdAt} */\n`
  yield '/* Run in a session with encoding UTF-8, with the folder of the .xpt files below. */\n'
  yield '%let folder = .;\n\n'
  yield 'proc format;\n'
  yield* listReasons(options)
  for (const { key, table, variable } of coded) {
    yield* listFormat(formats.get(key) ?? key, variable, {
      language: options.language,
      leaveOut: (code, text) =>
        options.note({ kind: 'code-label-left-out', table, variable: variable.source.name, code, text }),
    })
  }
  yield 'run;\n'
  for (const { written, variables } of all) yield* listTable(written, variables, formats, version)
}

function keyOf({ name }: XportTable, variable: XportVariable): string {
  return `${name}_${variable.name}`
}

function hasFormat({ variable }: { readonly variable: XportVariable }): boolean {
  return variable.source.codes.length > 0 && (variable.isText || variable.source.type === 'number')
}

/** Numbers that have no codes of their own still show why they are missing. */
const REASON_FORMAT = 'zl_reason_f'

function* listReasons({ language }: WriteOptions): Generator<string> {
  yield `  value ${REASON_FORMAT}\n${reasonLines(language)}    other = [best12.];\n`
}

function reasonLines(language: Language): string {
  const words = dataWords(language).reasons
  return MISSING_CODES.map((code) => `    .${LETTERS[code]} = ${quote(words[code])}\n`).join('')
}

interface FormatOptions {
  readonly language: Language
  readonly leaveOut: (code: string, label: string) => void
}

function* listFormat(
  name: string,
  { source, isText }: XportVariable,
  { language, leaveOut }: FormatOptions,
): Generator<string> {
  yield `  value ${isText ? '$' : ''}${name}\n`
  const labelled = new Set<string>()
  for (const { code, label } of source.codes) {
    const key = isText ? quote(code) : codeNumber(code)
    if (key === null) {
      leaveOut(code, label)
      continue
    }
    labelled.add(code)
    yield `    ${key} = ${quote(label)}\n`
  }
  const words = dataWords(language).reasons
  if (!isText) yield reasonLines(language)
  else for (const code of MISSING_CODES) if (!labelled.has(code)) yield `    ${quote(code)} = ${quote(words[code])}\n`
  yield '  ;\n'
}

function* listTable(
  { name, table }: XportTable,
  variables: readonly XportVariable[],
  formats: ReadonlyMap<string, string>,
  version: XportVersion,
): Generator<string> {
  const file = `${name.toLowerCase()}.xpt`
  yield '\n'
  if (version.version === 5) {
    yield `libname zlin xport "&folder./${file}" access=readonly;\n`
    yield `proc copy in=zlin out=work memtype=data;\nrun;\nlibname zlin clear;\n`
  } else {
    yield `%xpt2loc(libref=work, memlist=${name}, filespec="&folder./${file}");\n`
  }
  yield `proc datasets lib=work nolist;\n  modify ${name} (label=${quote(table.label)});\n`
  const labels = variables.map(({ name: variable, source }) => `    ${variable} = ${quote(wholeLabel(source))}\n`)
  if (labels.length > 0) yield `  label\n${labels.join('')}  ;\n`
  const uses = variables.flatMap((variable) => {
    const format = formats.get(keyOf({ name, table, label: '' }, variable))
    if (format !== undefined) return [`    ${variable.name} ${variable.isText ? '$' : ''}${format}.\n`]
    return variable.source.type === 'number' ? [`    ${variable.name} ${REASON_FORMAT}.\n`] : []
  })
  if (uses.length > 0) yield `  format\n${uses.join('')}  ;\n`
  yield 'quit;\n'
}

function wholeLabel({ label, unit }: Variable): string {
  return unit === null ? label : `${label} (${unit})`
}

/** A text in single quotes, in which SAS looks for no macro; on one line. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\r\n]+/g, ' ').replaceAll("'", "''")}'`
}

function comment(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll('*/', '* /')
}
