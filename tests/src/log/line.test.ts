import { describe, expect, it } from 'vitest'
import { ApiFailure } from '#core/api/errors.ts'
import { frames, framesOf, messageOf, pathPattern } from '#src/log/line.ts'

const ORIGIN = 'https://edc.example.org'
const PATIENT = '张三丰'
const PASSWORD = 'Hunter2Hunter2'
const PLANTED = [PATIENT, PASSWORD, 'zhangsan', '13800001111', '01-003']

/** An error as Chromium makes it: its stack begins with its message. */
function chromiumError(message: string, ...at: readonly string[]): Error {
  const error = new TypeError(message)
  error.stack = [`TypeError: ${message}`, ...at.map((place) => `    at ${place}`)].join('\n')
  return error
}

/** All that a line keeps of an error. */
const kept = (thrown: unknown): string => `${messageOf(thrown)} ${framesOf(thrown, ORIGIN)}`

describe('what is kept of an error', () => {
  it('says which of the known sentences it is, and where in our scripts', () => {
    const error = chromiumError(
      `Cannot read properties of undefined (reading 'weight')`,
      `Object.check (${ORIGIN}/assets/EntryScreen-Ab1_2.js:12:3456)`,
      `${ORIGIN}/assets/start-x-9.js:1:77`,
      'async https://elsewhere.example/assets/evil.js:1:1',
    )
    expect(messageOf(error)).toBe('TypeError: cannot read a property of undefined')
    expect(framesOf(error, ORIGIN)).toBe('/assets/EntryScreen-Ab1_2.js:12:3456\n/assets/start-x-9.js:1:77')
  })

  it('finds the places in the stacks of Safari and Firefox too', () => {
    const error = new Error('x')
    error.stack = `save@${ORIGIN}/assets/kernel-Q.js:3:14\n@${ORIGIN}/assets/kernel-Q.js:9:2`
    expect(framesOf(error, ORIGIN)).toBe('/assets/kernel-Q.js:3:14\n/assets/kernel-Q.js:9:2')
  })

  it('holds nothing of what a message quotes', () => {
    const quoting = PLANTED.flatMap((planted) => [
      new SyntaxError(`Unexpected token '${planted[0]}', "${planted}" is not valid JSON`),
      new TypeError(`Cannot read properties of undefined (reading '${planted}')`),
      new TypeError(`${planted} is not a function`),
      new ReferenceError(`${planted} is not defined`),
      new RangeError(`Invalid time value: ${planted}`),
      new DOMException(`The value ${planted} is not allowed`, 'DataError'),
      Object.assign(new Error(planted), { name: planted }),
    ])
    for (const error of quoting) for (const planted of PLANTED) expect(kept(error)).not.toContain(planted)
  })

  it('is not fooled by a message that looks like frames', () => {
    const error = chromiumError(
      `saved\n    at f (${ORIGIN}/assets/zhangsan.js:1:1)\n    at 13800001111`,
      `f (${ORIGIN}/assets/start-A.js:5:6)`,
    )
    expect(framesOf(error, ORIGIN)).toBe('/assets/start-A.js:5:6')
    expect(frames(`    at ${PATIENT} (${ORIGIN}/assets/start-A.js:5:6)`, ORIGIN)).toBe('/assets/start-A.js:5:6')
  })

  it('of what is no error at all says only its kind', () => {
    expect([PATIENT, 13800001111, { name: PATIENT }, null, undefined].map(messageOf)).toEqual([
      'string',
      'number',
      'object',
      'object',
      'undefined',
    ])
    expect(framesOf({ stack: PATIENT }, ORIGIN)).toBe('')
  })

  it('names our own errors by their code, without their words and fields', () => {
    const failure = new ApiFailure({
      code: 'invalid',
      message: PATIENT,
      fields: [{ path: 'identity.name', code: 'too_long' }],
    })
    expect(kept(failure)).toMatch(/^invalid/)
    expect(kept(failure)).not.toContain(PATIENT)
    expect(messageOf({ code: 'busy', message: PATIENT })).toBe('busy')
    expect(messageOf({ code: PATIENT })).toBe('object')
  })
})

describe('an address', () => {
  it('is kept as its pattern: no ids, no query, no words that are not ours', () => {
    const id = '0190a000-0000-7000-8000-000000000001'
    expect(pathPattern(`/eCRF/${id}/page/${id}?token=${PASSWORD}#${PATIENT}`)).toBe('/eCRF/:x/page/:x')
    expect(pathPattern(`/p/${id}/v/${id}/patients`)).toBe('/p/:x/v/:x/patients')
    for (const planted of PLANTED) expect(pathPattern(`/p/${encodeURIComponent(planted)}/${planted}`)).toBe('/p/:x/:x')
    expect(pathPattern('/')).toBe('/')
  })
})
