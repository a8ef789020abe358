import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readOdm } from '#core/exchange/odm/read.ts'
import { readRedcapDictionary } from '#core/exchange/redcap/dictionary.ts'
import { root } from '#scripts/lib/run.ts'

/** The command as a person at a terminal has it: a definition of any format in, one of another out. */

const DICTIONARY = `Variable / Field Name,Form Name,Section Header,Field Type,Field Label,"Choices, Calculations, OR Slider Labels"
sex,demographics,,radio,Sex,"1, Male | 2, Female"
races,demographics,,checkbox,Races,"1, A | 2, B"
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zl-export-'))
  writeFileSync(path.join(folder, 'dictionary.csv'), DICTIONARY)
})
afterAll(() => rmSync(folder, { recursive: true }))

function run(...args: readonly string[]) {
  return spawnSync(process.execPath, ['scripts/exportCheck.ts', ...args], { cwd: root, encoding: 'utf8' })
}

describe('export:check', () => {
  it.each(['odm-1.3.2', 'odm-2.0'])(
    'writes %s that says what the dictionary says, and what no other system reads',
    (format) => {
      const { status, stdout, stderr } = run(path.join(folder, 'dictionary.csv'), '--to', format)
      const [again, before] = [readOdm(stdout), readRedcapDictionary(DICTIONARY)]
      expect({ status, pages: again.ok && again.definition.pages }).toEqual({
        status: 0,
        pages: before.ok && before.definition.pages,
      })
      expect(stderr).toBe('demographics races: type: checkbox\n')
    },
  )

  it('writes a dictionary again', () => {
    const { status, stdout } = run('--to', 'redcap', path.join(folder, 'dictionary.csv'))
    expect(status).toBe(0)
    expect(stdout).toContain('sex,demographics,,radio,Sex,"1, Male | 2, Female"')
  })

  it.each([
    [['--to', 'docx'], 2],
    [[], 2],
    [['none.csv', '--to', 'odm-2.0'], 1],
  ])('%j ends with %i and says why', (args, code) => {
    const { status, stdout, stderr } = run(...args)
    expect({ status, stdout }).toEqual({ status: code, stdout: '' })
    expect(stderr).toMatch(/.{10}/)
  })
})
