import type { DefinedPage, StudyDefinition } from '#core/exchange/definition.ts'
import { escapedXml } from '#core/exchange/sheet/escapedXml.ts'
import type { Choice } from '#core/form/definition/choiceLists.ts'
import { allPaths } from '#core/form/definition/choices.ts'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'
import { PLAIN_LOOK, suffixAfter } from '#core/form/definition/pageLook.ts'

import type { Around, Fact, Models } from './fieldFacts.ts'
import { plainFacts, ruleFacts } from './fieldFacts.ts'
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

function pageSection(page: DefinedPage, models: Models, words: PrintWords): string {
  const model = models.get(page.pageCode) ?? null
  const repeatable = page.repeatable === true ? ` (${words.repeatable})` : ''
  const sections = (model?.sections ?? []).map(
    ({ label, labelEn, fields }) =>
      `${label === '' ? '' : `<h3>${escapedXml(inLanguage(words.language, label, labelEn))}</h3>`}${fieldTable(fields, { words, own: page.pageCode, models, table: null })}`,
  )
  return `<section${model?.look.size === 'A4-horizontal' ? ' class="wide"' : ''}><h2>${escapedXml(pageNameIn(words.language, page))} <code>${escapedXml(page.pageCode)}</code>${escapedXml(repeatable)}</h2>${sections.join('')}</section>`
}

function fieldTable(fields: readonly Field[], around: Around): string {
  return `<table><tbody>${fields.map((field) => fieldRow(field, around)).join('')}</tbody></table>`
}

function fieldRow(field: Field, around: Around): string {
  const { words } = around
  const label = inLanguage(words.language, field.label, field.labelEn)
  const note = inLanguage(words.language, field.note, field.noteEn)
  if (field.type === 'title') return `<tr><td colspan="3">${lines(label)}${facts(ruleFacts(field, around))}</td></tr>`
  const below =
    field.children.length === 0
      ? ''
      : `<tr><td colspan="3">${fieldTable(field.children, { ...around, table: field })}</td></tr>`
  return `<tr><td class="label">${lines(`${label}${suffixAfter(label, around.models.get(around.own)?.look ?? PLAIN_LOOK, words.language)}`)}${note === null ? '' : `<div class="facts">${lines(note)}</div>`}</td><td class="code"><code>${escapedXml(field.code)}</code><div class="facts">${escapedXml(words.types[field.type])}</div></td><td>${choiceList(field, words)}${facts([...plainFacts(field, words), ...ruleFacts(field, around)])}</td></tr>${below}`
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

function facts(all: readonly Fact[]): string {
  return all.length === 0
    ? ''
    : `<div class="facts">${all.map(([name, text]) => `<div><b>${escapedXml(name)}</b>${text === '' ? '' : ` ${lines(text)}`}</div>`).join('')}</div>`
}

function lines(text: string): string {
  return escapedXml(text).replaceAll('\n', '<br>')
}
