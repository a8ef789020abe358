import type { Language } from '#core/language.ts'

import type { ClinicalNote, ClinicalNoteKind } from './subject.ts'

/** What a file of casebooks could not say, as rows of a file that lies beside it: places, and never values. */

interface NoteWords {
  readonly columns: readonly string[]
  readonly kinds: Readonly<Record<ClinicalNoteKind, string>>
  readonly more: (count: number) => string
}

const words: Readonly<Record<Language, NoteWords>> = {
  zh: {
    columns: ['说明', '受试者', '访视', '表单页', '表格', '字段', '次数'],
    kinds: {
      'not-of-type': '不符合字段类型：原文写在该项的注释中，REDCap 文件则留空',
      'not-in-list': '不在选项之内：原文写在该项的注释中，REDCap 文件则留空',
      'not-of-item': '该格式没有对应的数据类型：原文写在该项的注释中或作为文本',
      'no-field': '该版本没有这个字段：不在该项，见表单页的注释',
      'no-version': '表单版本不在文件中，数据未写入',
      'no-page': '该版本没有这个表单页，数据未写入',
      'no-visit': '该版本没有这个访视，数据未写入',
      'no-user': '文件未列出的人员',
      'no-center': '文件未列出的中心',
      'no-place': '所指内容不在数据中，未写入',
      'no-column': '该格式没有对应的位置，未写入',
      'no-picture': '图片未打印：类型不支持、过大，或服务器上没有该文件',
    },
    more: (count) => `另有 ${String(count)} 处未列出`,
  },
  en: {
    columns: ['What', 'Subject', 'Visit', 'Page', 'Table', 'Field', 'Times'],
    kinds: {
      'not-of-type': 'Not of its type: as entered in an annotation of the item; left out of a REDCap file',
      'not-in-list': 'Not among the choices: as entered in an annotation of the item; left out of a REDCap file',
      'not-of-item': 'The format has no data type for it: as entered in an annotation of the item, or as text',
      'no-field': 'The version has no such field: not in an item, but in an annotation of the page',
      'no-version': 'The form version is not in the file: not written',
      'no-page': 'The version has no such page: not written',
      'no-visit': 'The version has no such visit: not written',
      'no-user': 'A person whom the file does not name',
      'no-center': 'A site that the file does not name',
      'no-place': 'About nothing that is in the data: not written',
      'no-column': 'The format has no place for it: not written',
      'no-picture': 'A picture that is not printed: not of a type that can be, too large, or not on the server',
    },
    more: (count) => `${String(count)} more places are not listed`,
  },
}

/** Collects notes up to a number of places; the same of one place once, with how often. */
export class ClinicalNotes {
  readonly #most: number
  readonly #places = new Map<string, { readonly note: ClinicalNote; times: number }>()
  #more = 0

  /** @param most places that are listed; of the others there is only a count */
  constructor(most: number) {
    this.#most = most
  }

  /** How many places are told of, the ones that are not listed too. */
  get count(): number {
    return this.#places.size + this.#more
  }

  add(note: ClinicalNote): void {
    const { what, subject, folder, page, table, field } = note
    const key = JSON.stringify([what, subject, folder, page, table, field])
    const known = this.#places.get(key)
    if (known !== undefined) known.times += 1
    else if (this.#places.size < this.#most) this.#places.set(key, { note, times: 1 })
    else this.#more += 1
  }

  /** Rows with their head, for a table; none but the head where nothing is to be told. */
  rows(language: Language): readonly (readonly (string | number | null)[])[] {
    const { columns, kinds, more } = words[language]
    const rows = [...this.#places.values()].map(({ note: { what, subject, folder, page, table, field }, times }) => [
      kinds[what],
      subject,
      folder,
      page,
      table,
      field,
      times,
    ])
    return [columns, ...rows, ...(this.#more === 0 ? [] : [[more(this.#more)]])]
  }
}
