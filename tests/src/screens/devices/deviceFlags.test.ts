import { describe, expect, test } from 'vitest'
import type { DeviceLine } from '#core/api/calls/sync.ts'
import { flagsOf } from '#src/screens/devices/deviceFlags.ts'

const NOW = new Date('2026-11-21T08:00:00.000Z')

/** A tablet in good order, in contact an hour ago. */
function device(facts: Partial<DeviceLine> = {}): DeviceLine {
  return {
    id: '0190a000-0000-7000-8000-0000000000d1',
    name: 'Android · Chrome',
    userAgent: '',
    appVersion: '0.1.0',
    persisted: true,
    createdAt: '2026-10-01T08:00:00.000Z',
    lastContactAt: '2026-11-21T07:00:00.000Z',
    lastUserName: '林协调',
    clockDriftMs: 300,
    unsent: 0,
    oldestUnsent: null,
    refused: 0,
    drafts: 0,
    storage: { usedBytes: 10, quotaBytes: 100 },
    centers: ['一院'],
    blocked: false,
    blockReason: null,
    blockedByName: null,
    blockedAt: null,
    storageLostAt: null,
    lostUnsent: null,
    ...facts,
  }
}

const YESTERDAY = '2026-11-20T07:59:00.000Z'

describe('what somebody should know of a device', () => {
  test('nothing of one in good order', () => expect(flagsOf(device(), NOW)).toEqual([]))

  test('one that is silent for more than a day may have to be found only while something on it is unsent', () => {
    expect(flagsOf(device({ lastContactAt: YESTERDAY, unsent: 1 }), NOW)).toEqual(['silent'])
    expect(flagsOf(device({ lastContactAt: YESTERDAY }), NOW)).toEqual([])
    expect(flagsOf(device({ unsent: 40 }), NOW)).toEqual([])
  })

  test('a clock is wrong from two minutes on, in either direction', () => {
    expect(flagsOf(device({ clockDriftMs: -121_000 }), NOW)).toEqual(['drift'])
    expect(flagsOf(device({ clockDriftMs: 119_000 }), NOW)).toEqual([])
  })

  test('storage that was lost with something unsent comes before all that can wait', () => {
    const lost = { storageLostAt: YESTERDAY, lostUnsent: 3, refused: 1, persisted: false, drafts: 2 }
    expect(flagsOf(device(lost), NOW)).toEqual(['lost', 'refused', 'drafts', 'notPersisted'])
    expect(flagsOf(device({ storageLostAt: YESTERDAY, lostUnsent: 0 }), NOW)).toEqual(['lostNothing'])
  })

  test('storage is nearly full from four fifths on', () => {
    expect(flagsOf(device({ storage: { usedBytes: 80, quotaBytes: 100 } }), NOW)).toEqual(['storageNearlyFull'])
    expect(flagsOf(device({ storage: { usedBytes: 0, quotaBytes: 0 } }), NOW)).toEqual([])
  })
})
