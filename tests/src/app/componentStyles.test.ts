import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const MANTINE = path.resolve('node_modules/@mantine/core')
const given = readFileSync('src/app/componentStyles.ts', 'utf8')

/** The names that the app imports from Mantine. */
function drawnComponents(): ReadonlySet<string> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  const imports = files.flatMap((file) => [
    ...readFileSync(`src/${file}`, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
  ])
  return new Set(imports.flatMap(([, names = '']) => names.split(',').map((name) => name.trim())))
}

/** The sheets of a component and of all that it imports. */
function sheetsOf(file: string, seen: Set<string>): readonly string[] {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const own = file.endsWith('.module.mjs') ? [path.basename(file, '.module.mjs')] : []
  const others = [...readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)]
  return [...own, ...others.flatMap(([, to = '']) => sheetsOf(path.resolve(path.dirname(file), to), seen))]
}

test('every component that is drawn has its styles, and so has what it is made of', () => {
  const index = readFileSync(path.join(MANTINE, 'esm/index.mjs'), 'utf8')
  const drawn = drawnComponents()
  const files = [...index.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)].flatMap(([, names = '', file = '']) =>
    names.split(',').some((name) => drawn.has(name.trim())) ? [path.join(MANTINE, 'esm', file)] : [],
  )
  const seen = new Set<string>()
  const sheets = files
    .flatMap((file) => sheetsOf(file, seen))
    .filter((name) => existsSync(path.join(MANTINE, 'styles', `${name}.css`)))
  expect(sheets).toContain('Affix')
  expect(sheets.filter((name) => !given.includes(`'@mantine/core/styles/${name}.css'`))).toEqual([])
})
