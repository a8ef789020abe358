import { describe, expect, it } from 'vitest'
import type { StudyDefinition } from '#core/exchange/definition.ts'
import { readSheets } from '#core/exchange/sheet/readSheets.ts'
import { readXForm } from '#core/exchange/xform/read.ts'
import { withoutMarkdown } from '#core/exchange/xlsform/markdown.ts'
import { readXlsForm } from '#core/exchange/xlsform/read.ts'
import { writeXlsForm } from '#core/exchange/xlsform/write.ts'
import { isError } from '#core/form/engine/issue.ts'

import { compiled, opened } from '../../form/filling.ts'
import { column, imported, lost } from './sheets.ts'

/** Notes that stop a form, texts that show values, and words of constraints: nothing of them goes without a word. */

const HEAD = ['type', 'name', 'label', 'relevant', 'required', 'required_message']

function form({ pages }: StudyDefinition) {
  const [page] = pages
  return opened(compiled(page?.option ?? { column: [] }))
}

function again({ pages, folders }: StudyDefinition): StudyDefinition {
  const read = readSheets(writeXlsForm({ pages, folders }).bytes)
  const result = read.ok ? readXlsForm(read.sheets, 'form') : null
  if (result?.ok !== true) throw new Error('not read again')
  return result.definition
}

describe('a required note', () => {
  const contradiction = imported({
    survey: [
      HEAD,
      ['integer', 'births', 'Births'],
      ['integer', 'living', 'Living'],
      ['note', 'no', 'More live than were born', '${living} > ${births}', 'yes', 'Count again'],
    ],
  })

  it('stops the form as long as it is shown, as ODK does', () => {
    const state = form(contradiction)
    state.setText('births', '1')
    state.setText('living', '3')
    expect(state.validate().map(({ key, issues }) => [key, issues.some(isError)])).toEqual([['no', true]])
    state.setText('living', '1')
    expect(state.validate()).toEqual([])
  })

  it('may be required by a condition of its own', () => {
    const state = form(
      imported({ survey: [HEAD, ['integer', 'age', 'Age'], ['note', 'old', 'Ask a physician', '', '${age} > 80']] }),
    )
    state.setText('age', '81')
    expect(state.validate().map(({ key }) => key)).toEqual(['old'])
    state.setText('age', '80')
    expect(state.validate()).toEqual([])
  })

  it('goes out and comes in again the same', () => {
    expect(writeXlsForm(contradiction).notWritten).toEqual([])
    expect(again(contradiction).pages).toEqual(contradiction.pages)
  })

  it('of an XForm does the same', () => {
    const result = readXForm(
      `<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml" xmlns:jr="http://openrosa.org/javarosa"><h:head><h:title>T</h:title><model><instance><data id="t"><a/><no/></data></instance>
      <bind nodeset="/data/a" type="int"/><bind nodeset="/data/no" type="string" readonly="true()" required="true()" jr:requiredMsg="Not so" relevant=" /data/a &gt; 3"/></model></h:head>
      <h:body><input ref="/data/a"><label>A</label></input><input ref="/data/no"><label>Too many</label></input></h:body></h:html>`,
      'T',
    )
    if (!result.ok) throw new Error(result.error.kind)
    expect(column(result.definition, 'no')).toMatchObject({
      type: 'title',
      zl: { checks: [{ severity: 'error', message: { zh: 'Not so' } }] },
    })
  })
})

describe('words of a constraint', () => {
  it('are taken under each of the names that forms have for the columns', () => {
    for (const [constraint, message] of [
      ['bind:constraint', 'bind:jr:constraintMsg'],
      ['bind::constraint', 'bind::jr:constraintMsg'],
      ['constraint', 'constraint_message'],
    ] as const) {
      const read = imported({
        survey: [
          ['type', 'name', 'label', constraint, message, 'bind:relevant'],
          ['integer', 'a', 'A'],
          ['integer', 'b', 'B', '. < 3', 'Small!', '${a} = 1'],
        ],
      })
      expect({ of: constraint, zl: column(read, 'b').zl }).toMatchObject({
        of: constraint,
        zl: { show: 'xpEq(rc.a, 1.0)', checks: [{ message: { zh: 'Small!' } }] },
      })
      expect(lost(read)).toEqual([])
    }
  })

  it('that cannot be translated stay with it, and are told of', () => {
    const read = imported({
      survey: [
        ['type', 'name', 'label', 'constraint', 'constraint_message'],
        ['integer', 'a', 'A', 'pulldata(x) = 1', 'Not in the list'],
      ],
    })
    expect(lost(read)).toEqual([
      '2 a: constraint, unknown-function: pulldata(x) = 1',
      '2 a: constraint, unknown-function: Not in the list',
    ])
    expect(column(again(read), 'a').zl?.kept).toEqual({
      constraint: 'pulldata(x) = 1',
      constraint_message: 'Not in the list',
    })
  })

  it('in other languages, and without a constraint, are told of', () => {
    const read = imported({
      survey: [
        ['type', 'name', 'label', 'constraint', 'constraint_message', 'constraint_message::French (fr)'],
        ['integer', 'a', 'A', '. < 3', 'Small', 'Petit'],
        ['integer', 'b', 'B', '', 'Never said'],
      ],
    })
    expect(lost(read)).toEqual([
      '2 a: label, language-not-kept: constraint_message::French (fr): Petit',
      '3 b: constraint, not-used-by-source: Never said',
    ])
  })
})

describe('a label', () => {
  it('shows values of its page and its row; those of rows, from outside, are told of', () => {
    const read = imported({
      survey: [
        ['type', 'name', 'label'],
        ['text', 'who', 'Who'],
        ['note', 'hello', 'Hello ${who}, ${dose} and ${nobody}'],
        ['begin repeat', 'drugs', 'Drugs'],
        ['text', 'drug', 'Drug of ${who}'],
        ['text', 'dose', 'Dose of ${drug}'],
        ['end repeat'],
      ],
    })
    expect(column(read, 'hello').zl?.pipes).toEqual({ '${who}': 'who' })
    expect(column(read, 'drug').zl?.pipes).toEqual({ '${who}': 'who' })
    expect(column(read, 'dose').zl?.pipes).toEqual({ '${drug}': 'drug' })
    expect(lost(read)).toEqual(
      Array.from({ length: 2 }, () => '3 hello: label, piped-value: Hello ${who}, ${dose} and ${nobody}'),
    )
  })

  it.each([
    ['**Weight** in _kg_', 'Weight in kg'],
    ['# Part one', 'Part one'],
    ['[Help](https://example.org/a)', 'Help (https://example.org/a)'],
    ['5 * 3 * 2, snake_case_name and a*b*c', '5 * 3 * 2, snake_case_name and a*b*c'],
    ['\\*not so\\*', '*not so*'],
  ])('%j is shown without the signs of Markdown', (label, text) => {
    expect(withoutMarkdown(label)).toBe(text)
  })
})
