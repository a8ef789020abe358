import { expect, it } from 'vitest'
import { folderMoved, inPatientOrder } from '#core/study/visits/folderOrder.ts'
import type { PlacedFolder } from '#core/study/visits/folderOrder.ts'

/** Folders of one patient in an order of their own. */

const STUDY: readonly PlacedFolder[] = [
  ['screening', 1],
  ['therapy', 2],
  ['end', 5],
].map(([id, sort]) => ({ id: String(id), sort: Number(sort), order: null }))

const names = (folders: readonly PlacedFolder[]) => inPatientOrder(folders).map(({ id }) => id)
function after(folders: readonly PlacedFolder[], id: string, by: -1 | 1): readonly PlacedFolder[] {
  const places = new Map(folderMoved(folders, id, by).map(({ id: moved, order }) => [moved, order]))
  return folders.map((folder) => ({ ...folder, order: places.get(folder.id) ?? folder.order }))
}

it('a folder that is moved changes places with its neighbour, and can be moved on and back', () => {
  const up = after(STUDY, 'end', -1)
  expect(names(up)).toEqual(['screening', 'end', 'therapy'])
  expect(names(after(up, 'end', -1))).toEqual(['end', 'screening', 'therapy'])
  expect(names(after(up, 'end', 1))).toEqual(names(STUDY))
})

it('at the end nothing changes, nor for a folder that is not there', () => {
  expect([folderMoved(STUDY, 'screening', -1), folderMoved(STUDY, 'end', 1), folderMoved(STUDY, 'gone', 1)]).toEqual([
    [],
    [],
    [],
  ])
})

it('folders that two people gave one place are told apart again', () => {
  const tied = STUDY.map((folder) => ({ ...folder, order: 5 }))
  expect(names(after(tied, 'end', -1))).toEqual(['screening', 'end', 'therapy'])
  expect(names(after(after(tied, 'end', -1), 'end', -1))).toEqual(['end', 'screening', 'therapy'])
})
