import type { DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import { escapedXml } from '#core/exchange/sheet/escapedXml.ts'
import type { CheckRule } from '#core/form/definition/column.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { allPaths } from '#core/form/definition/choices.ts'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import type { Limits, Reference } from '#core/form/definition/readLimits.ts'
import { readPage } from '#core/form/definition/page.ts'
import { PLAIN_LOOK, suffixAfter } from '#core/form/definition/pageLook.ts'

import type { RuleField, RuleFields } from './ruleWords.ts'
import { ruleInWords } from './ruleWords.ts'
import { STYLE } from './style.ts'
import type { PrintWords } from './words.ts'

/**
 * An annotated form for print: an HTML document by itself, without scripts, links or pictures. Each field stands with
 * its code, its choices and what its rules say in words. All texts of a definition are escaped.
 */

/** @param title of the study */
export function printCrf(
  { pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>,
  title: string,
  words: PrintWords,
): string {
  const models = new Map(pages.map((page) => [page.pageCode, modelOf(page)]))
  const body = [
    `<h1>${escapedXml(title)} — ${escapedXml(words.title)}</h1>`,
    folders.length === 0 ? '' : visitTable({ pages, folders }, words),
    ...pages.map((page) => pageSection(page, models, words)),
  ]
  return [
    '<!doctype html>',
    `<html lang="${words.language === 'zh' ? 'zh-CN' : 'en'}">`,
    `<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${escapedXml(title)}</title><style>${STYLE}</style></head>`,
    `<body>${body.join('\n')}</body></html>`,
    '',
  ].join('\n')
}

/** Null for a page that cannot be read; its code and its name are printed alone. */
function modelOf({ option }: DefinedPage): PageModel | null {
  const read = readPage(option)
  return read.ok ? read.page : null
}

function visitTable({ pages, folders }: Pick<StudyDefinition, 'pages' | 'folders'>, words: PrintWords): string {
  const head = folders
    .map(
      (folder) =>
        `<th>${escapedXml(visitNameIn(words.language, folder))} <code>${escapedXml(folder.folderCode)}</code></th>`,
    )
    .join('')
  const rows = pages.map(
    (page) =>
      `<tr><td>${escapedXml(pageNameIn(words.language, page))} <code>${escapedXml(page.pageCode)}</code></td>${folders.map((folder) => `<td class="centre">${folder.pages.includes(page.pageCode) ? '●' : ''}</td>`).join('')}</tr>`,
  )
  return `<h2>${escapedXml(words.visits)}</h2><table><thead><tr><th></th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

type Models = ReadonlyMap<string, PageModel | null>

function pageSection(page: DefinedPage, models: Models, words: PrintWords): string {
  const model = models.get(page.pageCode) ?? null
  const repeatable = page.repeatable === true ? ` (${words.repeatable})` : ''
  const sections = (model?.sections ?? []).map(
    ({ label, labelEn, fields }) =>
      `${label === '' ? '' : `<h3>${escapedXml(inLanguage(words.language, label, labelEn))}</h3>`}${fieldTable(fields, { words, own: page.pageCode, models, table: null })}`,
  )
  return `<section${model?.look.size === 'A4-horizontal' ? ' class="wide"' : ''}><h2>${escapedXml(pageNameIn(words.language, page))} <code>${escapedXml(page.pageCode)}</code>${escapedXml(repeatable)}</h2>${sections.join('')}</section>`
}

interface Around {
  readonly words: PrintWords
  /** The page's code. */
  readonly own: string
  readonly models: Models
  /** The table that the fields are columns of. */
  readonly table: Field | null
}

function fieldTable(fields: readonly Field[], around: Around): string {
  return `<table><tbody>${fields.map((field) => fieldRow(field, around)).join('')}</tbody></table>`
}

function fieldRow(field: Field, around: Around): string {
  const { words } = around
  const label = inLanguage(words.language, field.label, field.labelEn)
  const note = inLanguage(words.language, field.note, field.noteEn)
  if (field.type === 'title') return `<tr><td colspan="3">${lines(label)}${facts(rules(field, around))}</td></tr>`
  const below =
    field.children.length === 0
      ? ''
      : `<tr><td colspan="3">${fieldTable(field.children, { ...around, table: field })}</td></tr>`
  return `<tr><td class="label">${lines(`${label}${suffixAfter(label, around.models.get(around.own)?.look ?? PLAIN_LOOK, words.language)}`)}${note === null ? '' : `<div class="facts">${lines(note)}</div>`}</td><td class="code"><code>${escapedXml(field.code)}</code><div class="facts">${escapedXml(words.types[field.type])}</div></td><td>${choiceList(field, words)}${facts([...plainFacts(field, words), ...rules(field, around)])}</td></tr>${below}`
}

function choiceList({ choices }: Field, { language }: PrintWords): string {
  if (choices.length === 0) return ''
  const items = [...allPaths(choices)]
    .map((path: readonly Choice[]) => path.at(-1))
    .flatMap((choice) =>
      choice === undefined
        ? []
        : [
            `<li><code>${escapedXml(choice.value)}</code> ${lines(inLanguage(language, choice.label, choice.labelEn))}</li>`,
          ],
    )
  return `<ul>${items.join('')}</ul>`
}

type Fact = readonly [name: string, text: string]

function plainFacts(field: Field, words: PrintWords): readonly Fact[] {
  const between = (name: string, { min, max }: Limits): readonly Fact[] =>
    min === null && max === null ? [] : [[name, `${min ?? ''} – ${max ?? ''}`]]
  return [
    ...(field.required ? [[words.required, ''] as const] : []),
    ...(field.readOnly.add && field.readOnly.input ? [[words.readOnly, ''] as const] : []),
    ...(field.hidden.add && field.hidden.input ? [[words.hidden, ''] as const] : []),
    ...(field.identifier ? [[words.identifier, ''] as const] : []),
    ...(field.unit === null ? [] : [[words.unit, inLanguage(words.language, field.unit, field.unitEn)] as const]),
    ...between(words.range, field),
    ...between(words.plausible, field.plausible),
    ...(field.precision === null ? [] : [[words.precision, String(field.precision)] as const]),
    ...(field.limit === null ? [] : [[words.rows, String(field.limit)] as const]),
    ...(field.initial === null || field.initial === ''
      ? []
      : [[words.value, typeof field.initial === 'string' ? field.initial : JSON.stringify(field.initial)] as const]),
  ]
}

function rules(field: Field, around: Around): readonly Fact[] {
  const { words } = around
  const putInWords = (cel: string) => ruleInWords(cel, fieldsFor(around), words.rule)
  const of = (name: string, cel: string | null): readonly Fact[] => (cel === null ? [] : [[name, putInWords(cel)]])
  const reference = ({ when, min, max }: Reference): Fact => [
    words.reference,
    `${min ?? ''} – ${max ?? ''}${when === null ? '' : ` (${putInWords(when)})`}`,
  ]
  const check = ({ when, severity, message }: CheckRule): Fact => [
    `${words.check} (${words.severity[severity]})`,
    `${putInWords(when)} → ${inLanguage(words.language, message.zh, message.en)}`,
  ]
  return [
    ...of(words.show, field.show),
    ...of(words.require, field.require),
    ...of(words.readOnlyWhen, field.readOnlyWhen),
    ...of(words.calculate, field.calculate),
    ...field.references.map(reference),
    ...field.checks.map(check),
  ]
}

/** What the names in a rule stand for, as they are seen from a page or from the rows of a table. */
function fieldsFor({ own, models, table, words }: Around): RuleFields {
  return ([variable, ...names]) => {
    const prop = names.at(-1) ?? ''
    if (variable === 'row')
      return describeField(
        table?.children.find((child) => child.code === prop),
        words,
      )
    if (variable === 'page' || variable === 'rc' || variable === 'rcStored')
      return names.length === 1 ? describeField(models.get(own)?.byCode.get(prop), words) : null
    const isOther = variable === 'visit' || variable === 'rcVisit' || variable === 'visits' || variable === 'form'
    const page = isOther ? (variable === 'form' ? names[1] : names[0]) : undefined
    return page === undefined ? null : describeField(models.get(page)?.byCode.get(prop), words)
  }
}

function describeField(field: Field | undefined, { language }: PrintWords): RuleField | null {
  if (field === undefined) return null
  return {
    label: inLanguage(language, field.label, field.labelEn),
    choices: new Map(field.choices.map(({ value, label, labelEn }) => [value, inLanguage(language, label, labelEn)])),
  }
}

function facts(all: readonly Fact[]): string {
  return all.length === 0
    ? ''
    : `<div class="facts">${all.map(([name, text]) => `<div><b>${escapedXml(name)}</b>${text === '' ? '' : ` ${lines(text)}`}</div>`).join('')}</div>`
}

function lines(text: string): string {
  return escapedXml(text).replaceAll('\n', '<br>')
}
