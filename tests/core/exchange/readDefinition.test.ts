import { describe, expect, it } from 'vitest'

import { writeJson } from '#core/exchange/json/json.ts'
import { readDefinition } from '#core/exchange/readDefinition.ts'
import { writeWorkbook } from '#core/exchange/workbook/write.ts'
import { writeXlsForm } from '#core/exchange/xlsform/write.ts'

/** Whatever a file is called, it is read as what it is, and kept as it came. */

const STUDY = {
  pages: [{ pageCode: 'p', pageName: 'P', option: { column: [{ prop: 'a', label: 'A', type: 'input' }] } }],
  folders: [],
} as const

function read(bytes: Uint8Array) {
  return readDefinition({ name: 'folder/study.bin', bytes }, (own) => new TextDecoder().decode(own))
}

describe('a file', () => {
  it.each<[string, Uint8Array]>([
    ['json', new TextEncoder().encode(writeJson(STUDY))],
    ['workbook', writeWorkbook(STUDY)],
    ['xlsform', writeXlsForm(STUDY).bytes],
    ['redcap', new TextEncoder().encode('field_name,form_name,field_type,field_label\na,p,text,A\n')],
  ])('is read as %s by its contents', (kind, bytes) => {
    const { kind: found, result } = read(bytes)
    expect(found).toBe(kind)
    expect(result.ok && result.definition.pages.map(({ option }) => option.column[0]?.prop)).toEqual(['a'])
  })

  it('that is a text is kept as its text', () => {
    expect(read(new TextEncoder().encode('field_name,名\n'))).toMatchObject({
      encoding: 'utf-8',
      evidence: 'field_name,名\n',
    })
  })

  it.each([0, 1, 2])('that is a workbook is kept byte for byte, as a data URL (%s bytes more)', (more) => {
    const bytes = Uint8Array.of(...writeXlsForm(STUDY).bytes, ...new Uint8Array(more))
    const { encoding, evidence } = read(bytes)
    expect(encoding).toBeNull()
    const [head = '', data = ''] = evidence.split(',')
    expect(head).toBe('data:application/vnd.openxmlformats-officedocument.spreadsheetml.sheet;base64')
    expect(Uint8Array.from(Buffer.from(data, 'base64'))).toEqual(bytes)
  })

  it('without a title of its own is called as the file is', () => {
    const { result } = read(writeXlsForm({ ...STUDY, pages: [{ ...STUDY.pages[0], pageName: '' }] }).bytes)
    expect(result.ok && result.definition.pages[0]?.pageName).toBe('study')
  })
})
