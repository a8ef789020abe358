// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { Profiler, useLayoutEffect } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import type { FormState } from '#core/form/engine/engine.ts'
import { useCell } from '#src/form/formContext.ts'
import { opened } from '#tests/core/form/filling.ts'

afterEach(cleanup)

const page = () =>
  opened([
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'height', label: '身高', type: 'number' },
  ])

let drawings = 0

interface ShownProps {
  readonly state: FormState
  readonly address: string
}

function Shown(props: ShownProps) {
  return (
    <Profiler id="cell" onRender={() => (drawings += 1)}>
      <Value {...props} />
    </Profiler>
  )
}

function Value({ state, address }: ShownProps) {
  return <output>{JSON.stringify(useCell(state, address)?.value)}</output>
}

/** Enters a weight in the commit, before what stands after it follows its cell. */
function EntersWeight({ state }: { readonly state: FormState }) {
  useLayoutEffect(() => {
    state.setValue('weight', 65)
  }, [state])
  return null
}

const said = () => screen.getByRole('status').textContent

describe('a cell on the screen', () => {
  it('is drawn again when it looks different, and not when another one does', () => {
    const state = page()
    render(<Shown state={state} address="weight" />)
    drawings = 0
    act(() => void state.setValue('weight', 60))
    expect([said(), drawings]).toEqual(['60', 1])
    act(() => void state.setValue('height', 170))
    expect(drawings).toBe(1)
  })

  it('shows what changed between its drawing and the commit', () => {
    const state = page()
    render(
      <>
        <EntersWeight state={state} />
        <Shown state={state} address="weight" />
      </>,
    )
    expect(said()).toBe('65')
  })

  it('is another one when its address or the form is another, and the old one is left alone', () => {
    const [one, other] = [page(), page()]
    other.setValue('height', 180)
    const { rerender } = render(<Shown state={one} address="weight" />)
    rerender(<Shown state={other} address="height" />)
    expect(said()).toBe('180')
    drawings = 0
    act(() => void one.setValue('weight', 60))
    expect(drawings).toBe(0)
    act(() => void other.setValue('height', 181))
    expect([said(), drawings]).toEqual(['181', 1])
  })
})
