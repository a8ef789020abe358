import { render } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { EmptyInbox } from '#src/ui/illustrations/EmptyInbox.tsx'
import { NoPatients } from '#src/ui/illustrations/NoPatients.tsx'
import { NotHere } from '#src/ui/illustrations/NotHere.tsx'
import { NothingDue } from '#src/ui/illustrations/NothingDue.tsx'
import { NothingFound } from '#src/ui/illustrations/NothingFound.tsx'
import { NoVersion } from '#src/ui/illustrations/NoVersion.tsx'

/** The drawings of empty states. */

const drawings = { EmptyInbox, NoPatients, NotHere, NothingDue, NothingFound, NoVersion }

it.each(Object.entries(drawings))('%s is no content for a screen reader, and has no colour of its own', (_, Drawn) => {
  const { container } = render(<Drawn />)
  const drawing = container.querySelector('svg')
  expect(drawing?.getAttribute('aria-hidden')).toBe('true')
  expect(drawing?.innerHTML).not.toMatch(/#[0-9a-f]{3,8}|rgb|hsl|style=/i)
})

it('they take their colours from the tokens of the theme', () => {
  const rules = readFileSync(path.join(import.meta.dirname, '../../../src/ui/illustrations/drawing.module.css'), 'utf8')
  const colours = [...rules.matchAll(/(?:fill|stroke): ([^;]+);/g)].map(([, colour]) => colour)
  expect(colours.length).toBeGreaterThan(4)
  for (const colour of colours) expect(colour).toMatch(/^(?:none|var\(--(?:zl|mantine)-[\w-]+\))$/)
})
