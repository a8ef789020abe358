import { expect, test } from 'vitest'
import { crumbsAt, routeAt } from '#src/paths/routeNames.ts'

test('routes have the names that the specification gives them', () => {
  expect(routeAt('/projects')?.name).toBe('项目列表')
  expect(routeAt('/p/1/admin/mem')?.name).toBe('projectMem')
  expect(routeAt('/eCRF/7')?.name).toBe('问卷')
  expect(routeAt('/nothing')).toBeNull()
})

test('the breadcrumb leads back level by level', () => {
  expect(crumbsAt('/p/1/admin/mem')).toEqual([
    { place: 'project', to: '/p/1' },
    { place: 'admin', to: '/p/1/admin' },
    { place: 'mem', to: null },
  ])
  expect(crumbsAt('/p/1/v/2/patients')).toEqual([
    { place: 'project', to: '/p/1' },
    { place: 'patients', to: null },
  ])
})

test('there is none in the list of projects, nor where only one level is matched', () => {
  for (const path of ['/projects', '/device', '/p/1', '/nothing']) expect(crumbsAt(path)).toEqual([])
})
