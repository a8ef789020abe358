import { expect } from '@playwright/test'
import type { ApiUser } from '#tests/server/support/apiUser.ts'

/** A project with its only center, in which nobody works yet. */
export interface Study {
  readonly projectId: string
  readonly centerId: string
}

interface StudyPlan {
  readonly projectName: string
  /** 1 where every page is entered twice; 0 without it. */
  readonly isDouble?: 0 | 1
  /** How many have to sign a version in test before it is released; nobody without it. */
  readonly minTesters?: number
}

/** Makes a project with one center: 北京一院, BJ01. People join it by `joinTeam`. */
export async function makeStudy(
  admin: ApiUser,
  { projectName, isDouble = 0, minTesters = 0 }: StudyPlan,
): Promise<Study> {
  const { id: projectId } = await admin.call<{ id: string }>('project.save', {
    body: { projectName, projectScopeCode: 'areamultiple' },
  })
  await admin.call('project.confUpdate', { body: { projectId, isDouble, isFilterPeriod: 'N', minTesters } })
  const { id: centerId } = await admin.call<{ id: string }>('center.save', {
    body: { projectId, centerName: '北京一院', centerCode: 'BJ01' },
  })
  return { projectId, centerId }
}

/** Opens the project for entry. Whatever version it has may be in test, or a draft. */
export async function openProject(admin: ApiUser, projectId: string): Promise<void> {
  await admin.call('project.changeStatus', { query: { projectId, status: 'process' } })
}

/** Opens the project for entry. Gives where the patients of its only version are listed. */
export async function startEntry(admin: ApiUser, projectId: string): Promise<string> {
  await openProject(admin, projectId)
  const versions = await admin.call<{ records: { id: string; crfProfile: string }[] }>('version.list', {
    query: { projectId },
  })
  expect(versions.records.map(({ crfProfile }) => crfProfile)).toEqual(['formal'])
  return `/p/${projectId}/v/${versions.records[0]?.id ?? ''}/patients`
}
