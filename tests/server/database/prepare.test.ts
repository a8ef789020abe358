import { expect, test } from 'vitest'
import { columns, prepare } from '#server/database/prepare.ts'

interface Named {
  readonly id: string
  readonly name: string
}

test('parameters are numbered in the order in which they are written, and one that stands twice has one number', () => {
  const find = prepare<Named>('named_find', (parameter) => {
    const name = ({ name: given }: Named) => given
    return `SELECT ${parameter(name)} WHERE id = ${parameter(({ id }) => id)} OR name = ${parameter(name)}`
  })
  expect(find({ id: 'a', name: 'b' })).toEqual({
    name: 'named_find',
    text: 'SELECT $1 WHERE id = $2 OR name = $1',
    values: ['b', 'a'],
  })
})

test('what a shared piece of SQL numbers itself comes first', () => {
  const find = prepare<Named>('named_after', (parameter) => `$1 $2 ${parameter(({ name }) => name)}`, {
    count: 2,
    read: ({ id }) => [id, 'second'],
  })
  expect(find({ id: 'a', name: 'b' })).toMatchObject({ text: '$1 $2 $3', values: ['a', 'second', 'b'] })
})

test('a column stands beside its value, with its type where the database cannot know it', () => {
  const insert = prepare<Named>('named_insert', (parameter) => {
    const { names, places } = columns<Named>(parameter, { id: ['uuid', ({ id }) => id], name: ({ name }) => name })
    return `(${names}) VALUES (${places})`
  })
  expect(insert({ id: 'a', name: 'b' })).toMatchObject({ text: '(id, name) VALUES ($1::uuid, $2)', values: ['a', 'b'] })
})
