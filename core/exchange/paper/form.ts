import { studyTime } from '#core/dataset/aboutColumns.ts'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'
import type { Around as AroundField, Models } from '#core/exchange/print/fieldFacts.ts'
import { plainFacts, ruleFacts } from '#core/exchange/print/fieldFacts.ts'
import type { PrintWords } from '#core/exchange/print/words.ts'
import { en as printEn } from '#core/exchange/print/words.en.ts'
import { zh as printZh } from '#core/exchange/print/words.zh.ts'
import { allPaths } from '#core/form/definition/choices.ts'
import { inLanguage, pageNameIn, visitNameIn } from '#core/form/definition/inLanguage.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { parsePage } from '#core/form/definition/page.ts'
import type { Language } from '#core/language.ts'
import type { PaperFormat } from '#core/study/paperForms.ts'
import type { CrfProfile } from '#core/study/versionLife.ts'
import { crfProfileNames } from '#core/study/versionLife.ts'

import type { PaperBlock, PaperCell, PaperDocument, PaperLine, PaperPart } from './document.ts'
import { cellOf, lineOf } from './document.ts'
import { layPage, layTable } from './layout.ts'
import type { Speech } from './valueWords.ts'
import { choiceLabel, labelOf, unitOf } from './valueWords.ts'
import { paperWords } from './wordsIn.ts'

/**
 * A version for paper, without data of anybody. Blank: the pages of each visit, to be filled in by hand. Annotated:
 * each page once, its fields with code, type, choices and rules.
 */

export interface FormOptions {
  readonly style: PaperFormat
  readonly language: Language
  readonly studyName: string
  /** An instant. */
  readonly madeAt: string
  readonly madeBy: string
}

/** A version as far as it is printed. */
export interface FormVersion {
  readonly versionNo: number
  readonly crfProfile: CrfProfile
  readonly folders: readonly FolderRow[]
}

interface Around extends Speech {
  readonly terms: PrintWords
  readonly models: Models
}

export function formDocument({ versionNo, crfProfile, folders }: FormVersion, options: FormOptions): PaperDocument {
  const { language, style, studyName, madeBy } = options
  const words = paperWords(language)
  const pages = new Map(folders.flatMap((folder) => folder.pages).map((page) => [page.pageCode, page]))
  const models = new Map([...pages].map(([code, { option }]) => [code, modelOf(option)]))
  const around: Around = { words, language, terms: language === 'zh' ? printZh : printEn, models }
  const madeAt = studyTime(options.madeAt) ?? ''
  const version = `${words.versionOf(versionNo)} ${crfProfileNames[language][crfProfile]}`
  return {
    language,
    title: style === 'blank' ? words.blankForm : words.annotatedForm,
    subtitle: studyName,
    facts: [
      [words.version, version],
      [words.madeAt, madeAt],
      [words.madeBy, madeBy],
    ],
    notes: [],
    contents: words.contents,
    head: [studyName, version],
    foot: words.made(madeAt, madeBy),
    parts:
      style === 'blank'
        ? folders.flatMap((folder) => blankVisit(folder, around))
        : [scheduleOf(folders, around), ...[...pages.values()].map((page) => annotatedPage(page, around))],
  }
}

function modelOf(option: string): PageModel | null {
  const read = parsePage(option)
  return read.ok ? read.page : null
}

function blankVisit(folder: FolderRow, around: Around): readonly PaperPart[] {
  const { words, language } = around
  return [
    {
      level: 1,
      title: visitNameIn(language, folder),
      onNewSheet: true,
      blocks: [],
    },
    ...folder.pages.map((page, at): PaperPart => ({
      level: 2,
      title: pageNameIn(language, page),
      onNewSheet: at > 0,
      blocks: [
        {
          kind: 'table',
          widths: [1, 1],
          head: [],
          rows: [[cellOf(`${words.subject}${words.colon}`), cellOf(`${words.visitDate}${words.colon}`)]],
        },
        ...blankBlocks(page, around),
        { kind: 'text', text: words.fillIn, look: 'plain' },
      ],
    })),
  ]
}

function blankBlocks({ pageCode }: PageRow, around: Around): readonly PaperBlock[] {
  const model = around.models.get(pageCode) ?? null
  if (model === null) return [{ kind: 'text', text: around.words.notInVersion, look: 'muted' }]
  return layPage(model, around, {
    isShown: isAsked,
    ask: (field) => askCell(field, around),
    answer: (field) => answerCell(field, around),
    table: (field) => blankTable(field, around),
  })
}

/** What the definition never asks has no room on paper. */
function isAsked({ hidden }: Field): boolean {
  return !(hidden.add && hidden.input)
}

/** Rows of a table that there is room for. */
const ROWS = 5
function blankTable({ children, limit }: Field, around: Around): readonly PaperBlock[] {
  const count = Math.min(limit ?? ROWS, ROWS)
  return layTable(around, {
    columns: children.filter((child) => child.type !== 'title' && isAsked(child)),
    rows: Array.from({ length: count }, () => null),
    head: (column) => withUnit(column, around),
    ask: (column) => askCell(column, around),
    answer: (column) => answerCell(column, around),
  })
}

function withUnit(field: Field, { language }: Around): string {
  const unit = unitOf(field, language)
  return `${labelOf(field, language)}${field.required ? ' *' : ''}${unit === '' ? '' : ` (${unit})`}`
}

function askCell(field: Field, around: Around): PaperCell {
  const note = inLanguage(around.language, field.note, field.noteEn)
  return [lineOf(withUnit(field, around)), ...(note === null ? [] : [lineOf(note, 'muted')])]
}

/** More choices than this are no list to tick on paper: the answer is written. */
const MOST_BOXES = 40

function answerCell(field: Field, { language, words }: Around): PaperCell {
  const { choices, multiple, type, widget } = field
  if (widget === 'yesno') return [lineOf(words.yes, 'round'), lineOf(words.no, 'round')]
  const paths = [...allPaths(choices)].filter((path) => path.at(-1)?.children.length === 0)
  if (paths.length > 0 && paths.length <= MOST_BOXES && type !== 'autocomplete')
    return paths.map((path) =>
      lineOf(
        path.map((choice) => choiceLabel(choice, language)).join(' / '),
        multiple || type === 'checkbox' ? 'box' : 'round',
      ),
    )
  return type === 'textarea' ? [lineOf('', 'rule'), lineOf('', 'rule')] : [lineOf('', 'rule')]
}

function scheduleOf(folders: readonly FolderRow[], { words, language }: Around): PaperPart {
  return {
    level: 1,
    title: words.visits,
    onNewSheet: true,
    blocks: [
      {
        kind: 'table',
        widths: [3, 2, 7],
        head: [],
        rows: folders.map((folder) => [
          cellOf(visitNameIn(language, folder)),
          cellOf(folder.folderCode, 'code'),
          folder.pages.map((page) => lineOf(`${pageNameIn(language, page)} [${page.pageCode}]`)),
        ]),
      },
    ],
  }
}

function annotatedPage(page: PageRow, around: Around): PaperPart {
  const { words, language, models, terms } = around
  const model = models.get(page.pageCode) ?? null
  const sections = (model?.sections ?? []).flatMap(({ label, labelEn, fields }): readonly PaperBlock[] => [
    ...(label === '' ? [] : [{ kind: 'heading', text: inLanguage(language, label, labelEn) } satisfies PaperBlock]),
    {
      kind: 'table',
      widths: [4, 3, 6],
      head: [],
      rows: fields.flatMap((field) =>
        annotatedRows(field, { words: terms, own: page.pageCode, models, table: null }, around),
      ),
    },
  ])
  return {
    level: 1,
    title: pageNameIn(language, page),
    onNewSheet: true,
    blocks: [
      {
        kind: 'facts',
        facts: [[words.pageCode, `${page.pageCode}${page.repeatable ? ` (${terms.repeatable})` : ''}`]],
      },
      ...(model === null ? [{ kind: 'text', text: words.notInVersion, look: 'muted' } satisfies PaperBlock] : sections),
    ],
  }
}

function annotatedRows(field: Field, of: AroundField, around: Around): readonly (readonly PaperCell[])[] {
  const { language, terms } = around
  const note = inLanguage(language, field.note, field.noteEn)
  const label = [lineOf(labelOf(field, language)), ...(note === null ? [] : [lineOf(note, 'muted')])]
  if (field.type === 'title') return [[[...label, ...factLines(ruleFacts(field, of), around)]]]
  const code = of.table === null ? field.code : `${of.table.code}.${field.code}`
  const row = [
    label,
    [lineOf(code, 'code'), lineOf(terms.types[field.type], 'muted')],
    [...codeLines(field, around), ...factLines([...plainFacts(field, terms), ...ruleFacts(field, of)], around)],
  ]
  return [row, ...field.children.flatMap((child) => annotatedRows(child, { ...of, table: field }, around))]
}

function codeLines({ choices }: Field, { language }: Around): readonly PaperLine[] {
  return [...allPaths(choices)].flatMap((path) => {
    const choice = path.at(-1)
    return choice === undefined
      ? []
      : [lineOf(`${'　'.repeat(path.length - 1)}${choice.value} = ${choiceLabel(choice, language)}`)]
  })
}

function factLines(facts: readonly (readonly [name: string, text: string])[], { words }: Around): readonly PaperLine[] {
  return facts.map(([name, text]) => lineOf(text === '' ? name : `${name}${words.colon}${text}`, 'muted'))
}
