import { describe, expect, it } from 'vitest'

import { readDefinition } from '#core/exchange/readDefinition.ts'

import { decode, form, odm1 } from './odm/files.ts'

/** Files are told apart by what is in them: a name may lie. */

const bytes = (...values: readonly number[]) => Uint8Array.from([...values, ...Array.from({ length: 100 }, () => 0)])
const text = (content: string) => new TextEncoder().encode(content)
const ascii = (content: string) => Array.from(content, (char) => char.charCodeAt(0))
const ODM = odm1(form([['X', 'DataType="text"', '']]))

function kindOf(content: Uint8Array, name = 'file.csv') {
  const { kind, result } = readDefinition({ name, bytes: content }, decode)
  return { kind, error: result.ok ? null : result.error.kind }
}

describe('what a file is', () => {
  it.each<[string, Uint8Array, string, string | null]>([
    ['ODM that is called a table', text(ODM), 'odm', null],
    [
      'ODM after a comment and a document type',
      text(`<?xml version="1.0"?><!-- <html> --><!DOCTYPE ODM>${ODM.replace(/^<\?xml.*\?>/, '')}`),
      'odm',
      null,
    ],
    [
      'ODM with a prefix',
      text('<o:ODM xmlns:o="http://www.cdisc.org/ns/odm/v1.3" ODMVersion="1.3.2"/>'),
      'odm',
      'no-metadata',
    ],
    [
      'rules of OpenClinica',
      text('<!-- rules --><RuleImport><RuleDef OID="R"/><RuleDef OID="Q"/></RuleImport>'),
      'openclinica-rules',
      'openclinica-rules',
    ],
    [
      'a form of ODK',
      text('<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"/>'),
      'xform',
      'unknown-format',
    ],
    ['a web page', text('<!doctype html><html><body>ODM</body></html>'), 'html', 'other-kind'],
    ['other XML', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'xml', 'other-kind'],
    ['JSON', text('{"ODM":[1]}'), 'json', 'unknown-format'],
    ['a workbook', bytes(0x50, 0x4b, 3, 4, ...ascii('....[Content_Types].xml')), 'xlsform', 'not-a-workbook'],
    ['an archive', bytes(0x50, 0x4b, 3, 4, ...ascii('....readme.txt')), 'zip', 'other-kind'],
    ['an old workbook', bytes(0xd0, 0xcf, 0x11, 0xe0), 'xlsform', 'not-a-workbook'],
    ['a PDF', text('%PDF-1.7 ODM'), 'pdf', 'other-kind'],
    ['a picture', bytes(0x89, 0x50, 0x4e, 0x47), 'image', 'other-kind'],
    [
      'a dictionary that is called XML',
      text('field_name,form_name,field_type,field_label\na,f,text,A\n'),
      'redcap',
      null,
    ],
    ['a table that begins with a bracket', text('[a],b\n1,2\n'), 'redcap', 'missing-columns'],
    ['nothing', text(''), 'redcap', 'empty'],
  ])('%s', (_what, content, kind, error) => {
    expect(kindOf(content, kind === 'odm' ? 'file.csv' : 'file.xml')).toEqual({ kind, error })
  })

  it('whatever its encoding: ODM in UTF-16 and in GB 18030', () => {
    const chinese = ODM.replace('encoding="UTF-8"', 'encoding="GB18030"').replace('Vital signs', 'Vital signs \u{4f53}')
    const utf16 = new Uint8Array(new Uint16Array(Array.from(`\uFEFF${ODM}`, (char) => char.charCodeAt(0))).buffer)
    expect(kindOf(utf16)).toEqual({ kind: 'odm', error: null })
    // 体 in GB 18030.
    const [before = '', after = ''] = chinese.split('\u{4f53}')
    expect(
      readDefinition({ name: 'x', bytes: Uint8Array.from([...text(before), 0xcc, 0xe5, ...text(after)]) }, decode),
    ).toMatchObject({
      encoding: 'gb18030',
      result: { ok: true, definition: { pages: [{ pageName: 'Vital signs 体' }] } },
    })
  })

  it('ODM that is cut off is no XML, and names the line', () => {
    expect(readDefinition({ name: 'x.xml', bytes: text(ODM.slice(0, -20)) }, decode).result).toMatchObject({
      ok: false,
      error: { kind: 'not-xml', line: 6 },
    })
  })
})
