import { describe, expect, it } from 'vitest'
import type { FolderRow, PageRow } from '#core/api/sync/rows.ts'
import { toFolderRows } from '#core/design/importRows.ts'
import { versionFormats } from '#core/exchange/exportFormats.ts'
import { readJson } from '#core/exchange/json/json.ts'
import { definitionOf } from '#core/exchange/ofVersion.ts'
import { versionFileName } from '#core/exchange/versionFileName.ts'
import { writeVersion } from '#core/exchange/writeVersion.ts'
import { demoDefinition } from '#server/demo/study/definition.ts'
import { definitionInputOf } from '#src/screens/versions/exchange/importInput.ts'

/** A version of a study goes out as the server has it. */

const NO_IDS = { folders: new Map<string, string>(), pages: new Map<string, string>() }
const CONTEXT = { studyName: '心绞痛研究', writtenAt: '2026-05-06T08:00:00.000Z', language: 'zh' } as const

function page(pageCode: string, facts: Partial<PageRow> = {}): PageRow {
  return {
    id: `id-${pageCode}`,
    pageName: `名 ${pageCode}`,
    pageCode,
    repeatable: false,
    option: '{"column":[{"prop":"x","label":"X","type":"input"}]}',
    sort: 1,
    ...facts,
  }
}

function folder(folderCode: string, pages: readonly PageRow[]): FolderRow {
  return { id: `id-${folderCode}`, folderName: `访视 ${folderCode}`, folderCode, sort: 1, pages: [...pages] }
}

describe('a version that goes out as our JSON', () => {
  it('is the same version when it is read again and imported into the project', () => {
    const folders = [...toFolderRows(demoDefinition, NO_IDS)]
    const { content, notWritten } = writeVersion({ folders }, 'json', CONTEXT)
    expect(notWritten).toEqual([])
    const read = readJson(String(content))
    if (!read.ok) throw new Error(JSON.stringify(read.error))
    const known = {
      folders: new Map(folders.map(({ folderCode, id }) => [folderCode, id])),
      pages: new Map(folders.flatMap(({ pages }) => pages).map(({ pageCode, id }) => [pageCode, id])),
    }
    expect(toFolderRows(definitionInputOf(read.definition, ''), known)).toEqual(folders)
  })
})

describe('a version as a definition', () => {
  it('has a page that stands in several visits once, and the visits in their order', () => {
    const { definition, notWritten } = definitionOf({
      folders: [folder('A', [page('one'), page('two')]), folder('B', [page('two'), page('one')])],
    })
    expect(definition.pages.map(({ pageCode }) => pageCode)).toEqual(['one', 'two'])
    expect(definition.folders.map(({ folderCode, pages }) => [folderCode, pages])).toEqual([
      ['A', ['one', 'two']],
      ['B', ['two', 'one']],
    ])
    expect(notWritten).toEqual([])
  })

  it.each([
    ['no JSON', 'not json', ''],
    ['no option', '[]', 'option'],
    ['a column without a type', '{"column":[{"prop":"x","label":"X"}]}', 'option.column.0.type'],
    [
      'a code that no field can have',
      '{"column":[{"prop":"constructor","label":"X","type":"input"}]}',
      'option.column.0.prop',
    ],
    [
      'the same code twice',
      '{"column":[{"prop":"x","label":"","type":"input"},{"prop":"x","label":"","type":"input"}]}',
      'option.column[1]',
    ],
  ])('leaves out a page whose option is %s, and tells it once with its text', (_, option, where) => {
    const broken = page('bad', { option })
    const { definition, notWritten } = definitionOf({
      folders: [folder('A', [page('one'), broken]), folder('B', [broken])],
    })
    expect(definition.pages.map(({ pageCode }) => pageCode)).toEqual(['one'])
    expect(definition.folders.map(({ pages }) => pages)).toEqual([['one'], []])
    expect(notWritten.map(({ page: code, what, text }) => ({ code, what, text }))).toEqual([
      { code: 'bad', what: 'unreadable', text: option },
    ])
    expect(notWritten[0]?.field).toContain(where)
  })

  it('tells what a later visit says of a page otherwise', () => {
    const other = '{"column":[]}'
    const { definition, notWritten } = definitionOf({
      folders: [folder('A', [page('one')]), folder('B', [page('one', { option: other })])],
    })
    expect(definition.pages).toHaveLength(1)
    expect(notWritten).toEqual([{ page: 'one', field: '名 one', what: 'otherDefinition', text: other }])
  })

  it.each(versionFormats)('tells of a page that cannot be read in %s', (format) => {
    const { notWritten } = writeVersion(
      { folders: [folder('A', [page('one'), page('bad', { option: '' })])] },
      format,
      CONTEXT,
    )
    expect(notWritten[0]).toMatchObject({ page: 'bad', what: 'unreadable' })
  })

  it('is printed in the language of the reader', () => {
    const folders = [folder('A', [page('one')])]
    expect(String(writeVersion({ folders }, 'crf', CONTEXT).content)).toContain('注释病例报告表')
    expect(String(writeVersion({ folders }, 'crf', { ...CONTEXT, language: 'en' }).content)).toContain(
      'Annotated case report form',
    )
  })
})

describe('the name of an exported file', () => {
  it('says project, version and format', () => {
    expect(versionFileName('心绞痛研究', 'V2.0', 'odm-1.3.2')).toBe('心绞痛研究_V2.0_odm-1.3.2.xml')
    expect(versionFileName('Study', 'V1.0', 'crf')).toBe('Study_V1.0_crf.html')
  })

  it.each([
    ['../../a\\b:c*d?"e"<f>|g', 'a b c d e f g_V1.0_json.json'],
    ['.hidden. ', 'hidden_V1.0_json.json'],
    ['name\u202Enosj.exe', 'name nosj.exe_V1.0_json.json'],
    ['con.study', '_con.study_V1.0_json.json'],
    ['///', 'V1.0_json.json'],
  ])('holds nothing that a file system forbids: %j', (project, name) => {
    expect(versionFileName(project, 'V1.0', 'json')).toBe(name)
  })

  it('fits into 255 bytes whatever the project is called', () => {
    const name = versionFileName('𠀀'.repeat(300), 'V1.0', 'odm-1.3.2')
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(255)
    expect(name.isWellFormed()).toBe(true)
  })
})
