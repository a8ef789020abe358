import type { ComponentType } from 'react'

/**
 * A frame of src/ui, or of src/frame, as the gallery shows it. Each file in `frames` exports one as `frame`: the
 * gallery finds it there by itself.
 */
export interface Frame {
  /** Its file in src/ui or src/frame. */
  readonly name: string
  /** Each of its states by a name in plain English, drawn with data of nobody. */
  readonly states: Readonly<Record<string, ComponentType>>
}
