import { waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { DeviceLogLine } from '#core/api/calls/log.ts'
import { noteFailure, watchErrors } from '#src/log/capture.ts'
import { addLine, logLines, removeLines } from '#src/log/store.ts'

beforeEach(() => {
  removeLines(logLines())
  localStorage.clear()
})

function line(at: number, more: Partial<DeviceLogLine> = {}): DeviceLogLine {
  return {
    url: '/projects',
    time: new Date(Date.UTC(2026, 10, 22) + at * 1000).toISOString(),
    type: 'error',
    message: `TypeError ${at}`,
    stack: '',
    info: '',
    ...more,
  }
}

describe('the error log of a device', () => {
  it('holds the latest 200, in this tab and after it was closed', () => {
    for (let at = 0; at < 205; at += 1) addLine(line(at))
    expect(logLines()).toHaveLength(200)
    expect(logLines()[0]?.message).toBe('TypeError 204')
    expect(logLines().at(-1)?.message).toBe('TypeError 5')
    expect(JSON.parse(localStorage.getItem('zhenglu.log') ?? '')).toHaveLength(200)
  })

  it('notes what happens over and over once, and again when it happens later', () => {
    const same = { message: 'busy' }
    for (const at of [0, 5, 9, 30]) addLine(line(at, same))
    expect(logLines().map(({ time }) => time)).toEqual([line(30).time, line(0).time])
  })

  it('loses only what was sent: what came meanwhile stays', () => {
    addLine(line(1))
    const sent = logLines()
    addLine(line(2))
    removeLines(sent)
    expect(logLines()).toEqual([line(2)])
  })

  it('does not choke on what lies in its place', () => {
    localStorage.setItem('zhenglu.log', '[{"url":7},null,{"url":"/","time":"x","type":"","message":""}')
    addLine(line(1))
    expect(logLines()).toEqual([line(1)])
  })
})

describe('what is noted', () => {
  it('failures of the server and calls it does not take; not what belongs to the day', async () => {
    for (const code of [
      'offline',
      'timeout',
      'unauthenticated',
      'invalid',
      'forbidden',
      'revision_changed',
      'storage_full',
    ] as const) {
      noteFailure('api', 'entry.save', code)
    }
    noteFailure('api', 'entry.save', 'internal')
    noteFailure('sync', 'push', 'client_too_old')
    await waitFor(() => expect(logLines()).toHaveLength(2))
    expect(logLines().map(({ type, message, info }) => [type, message, info])).toEqual([
      ['sync', 'client_too_old', 'push'],
      ['api', 'internal', 'entry.save'],
    ])
  })

  it('what nobody catches, without the browser’s harmless words on layout', async () => {
    watchErrors()
    window.dispatchEvent(
      new ErrorEvent('error', { message: 'ResizeObserver loop completed with undelivered notifications.' }),
    )
    window.dispatchEvent(new ErrorEvent('error', { message: '张三', error: new TypeError('x is not a function') }))
    await waitFor(() => expect(logLines()).toHaveLength(1))
    expect(logLines().map(({ url, type, message }) => [url, type, message])).toEqual([
      ['/', 'error', 'TypeError: is not a function'],
    ])
  })
})
