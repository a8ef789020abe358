import { describe, expect, it } from 'vitest'

import { readXForm } from '#core/exchange/xform/read.ts'
import type { JsonValue } from '#core/json.ts'

import { compiled, entry, opened } from '../../form/filling.ts'

/**
 * What forms of CHT say of themselves: a group that is shown by an answer within it, and a value that is calculated as
 * itself.
 */

function form(binds: string) {
  const result = readXForm(
    `<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>T</h:title><model><instance><data id="t"><inputs><source>user</source><who/></inputs><name>Ann</name><other/></data></instance>${binds}</model></h:head>
    <h:body><group ref="/data/inputs"><label>Inputs</label><input ref="/data/inputs/source"><label>Source</label></input><input ref="/data/inputs/who"><label>Who</label></input></group><input ref="/data/other"><label>Other</label></input></h:body></h:html>`,
    'T',
  )
  if (!result.ok) throw new Error(result.error.kind)
  return result.definition
}

const INPUTS = form(
  `<bind nodeset="/data/inputs" relevant="./source = 'user'"/><bind nodeset="/data/inputs/source" type="string"/><bind nodeset="/data/inputs/who" type="string"/><bind nodeset="/data/name" type="string" calculate="."/><bind nodeset="/data/other" type="string"/>`,
)

function shown(values: Readonly<Record<string, JsonValue>>): readonly string[] {
  const option = INPUTS.pages[0]?.option ?? { column: [] }
  return opened(compiled(option), entry(values))
    .cells()
    .flatMap(({ key, visible }) => (visible && key !== 'name' ? [key] : []))
}

describe('a group that is shown by an answer within it', () => {
  it('loses no rule', () => {
    expect(INPUTS.notCarried).toEqual([])
  })

  it('is shown while the answer says so, with the answer itself', () => {
    expect(shown({ source: 'user' })).toEqual(['source', 'who', 'other'])
    expect(shown({ source: 'contact', who: 'x' })).toEqual(['other'])
  })

  it('goes on as one question after the other is filled in', () => {
    const state = opened(compiled(INPUTS.pages[0]?.option ?? { column: [] }), entry({ source: 'user' }))
    state.setText('source', 'contact')
    expect([state.getCell('source')?.visible, state.getCell('who')?.visible]).toEqual([false, false])
  })
})

describe('a value that is calculated as itself', () => {
  it('stays as it is, and its text is kept', () => {
    const name = (INPUTS.pages[0]?.option.group ?? [])
      .flatMap(({ column }) => column)
      .concat(INPUTS.pages[0]?.option.column ?? [])
      .find(({ prop }) => prop === 'name')
    expect(name).toMatchObject({ value: 'Ann', zl: { kept: { calculation: '.' } } })
    expect(name?.zl?.calculate).toBeUndefined()
  })

  it('by questions that are shown by each other’s answer stays a circle, as ODK refuses it', () => {
    const mutual = form(
      `<bind nodeset="/data/inputs/source" type="string" relevant="/data/inputs/who = ''"/><bind nodeset="/data/inputs/who" type="string" relevant="/data/inputs/source = ''"/>`,
    )
    expect(mutual.notCarried.map(({ why }) => why)).toEqual(['circular'])
  })
})
