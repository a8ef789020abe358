import { describe, expect, test } from 'vitest'
import { functionsFor, isUsed, projectFunctions } from '#core/access/functions.ts'
import { defaultPermissions } from '#core/access/permissions.ts'
import type { ProjectRole } from '#core/access/permissions.ts'

const of = (role: ProjectRole, choices = {}) => functionsFor(new Set(defaultPermissions(role)), choices)

describe('the functions that a member may enter', () => {
  test('follow from their codes', () => {
    expect(of('CRC')).toEqual(['workspace', 'patients', 'visit', 'query', 'database', 'tableSearch', 'report'])
    expect(of('CRA')).toEqual(['workspace', 'patients', 'visit', 'query', 'check', 'database', 'tableSearch', 'report'])
    expect(of('PM')).toEqual([
      'workspace',
      'patients',
      'visit',
      'check',
      'database',
      'tableSearch',
      'report',
      'dict',
      'devices',
    ])
    expect(of('DBD')).toEqual([
      'workspace',
      'patients',
      'visit',
      'query',
      'check',
      'database',
      'tableSearch',
      'report',
      'statistical',
      'export',
      'design',
      'controller',
      'trial',
      'inbox',
      'dict',
      'devices',
    ])
  })

  test('let whoever tests the versions try them out, and nobody else who enters data', () => {
    expect(functionsFor(new Set(defaultPermissions('CRC')), {}, true)).toEqual([
      'workspace',
      'patients',
      'visit',
      'query',
      'database',
      'tableSearch',
      'report',
      'trial',
    ])
    expect(functionsFor(new Set(defaultPermissions('CRC')), { trial: false }, true)).toEqual(of('CRC'))
  })

  test('are without what the project does not use; what it never decided about is used', () => {
    expect(of('DBD', { devices: false })).toEqual([
      'workspace',
      'patients',
      'visit',
      'query',
      'check',
      'database',
      'tableSearch',
      'report',
      'statistical',
      'export',
      'design',
      'controller',
      'trial',
      'inbox',
      'dict',
    ])
    expect(of('DBD', { somethingOfLater: false })).toEqual(of('DBD'))
  })

  test('hold the mandatory ones whatever a project says', () => {
    const off = Object.fromEntries(projectFunctions.map(({ code }) => [code, false]))
    expect(of('DBD', off)).toEqual(['workspace', 'patients', 'query', 'inbox'])
    expect(isUsed({ code: 'hidden', level: -1 }, { hidden: false })).toBe(true)
  })
})
