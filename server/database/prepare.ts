/**
 * Prepared statements whose parameters are numbered as they are written, so that nobody counts: a parameter says where
 * it stands what its value is.
 */

/** A statement with its values, as the driver takes it. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Reads a parameter's value from what a statement is given. */
export type Read<Input> = (input: Input) => unknown

/** Writes a parameter, as `$n`. The same function twice is the same parameter. */
export type Parameter<Input> = (read: Read<Input>) => string

/** The first parameters of a statement, from $1 on, where a piece of SQL that others share names them itself. */
export interface Leading<Input> {
  readonly count: number
  readonly read: (input: Input) => readonly unknown[]
}

/**
 * A named statement. Its text is written once, here; each call only reads its values.
 *
 * @param name as the database knows it; no other text may have it
 */
export function prepare<Input>(
  name: string,
  write: (parameter: Parameter<Input>) => string,
  leading?: Leading<Input>,
): (input: Input) => Statement {
  const first = (leading?.count ?? 0) + 1
  const reads: Read<Input>[] = []
  const text = write((read) => {
    const known = reads.indexOf(read)
    return `$${first + (known < 0 ? reads.push(read) - 1 : known)}`
  })
  return (input) => ({
    name,
    text,
    values: [...(leading?.read(input) ?? []), ...reads.map((read) => read(input))],
  })
}

/**
 * Parameters that stand for columns, each beside its column's name: `names` for the list of columns, `places` for the
 * list of values. Where the database cannot know a parameter's type (`unnest`), it stands before the value.
 */
export function columns<Input>(
  parameter: Parameter<Input>,
  values: Readonly<Record<string, Read<Input> | readonly [type: string, read: Read<Input>]>>,
): { readonly names: string; readonly places: string } {
  const places = Object.values(values).map((value) =>
    typeof value === 'function' ? parameter(value) : `${parameter(value[1])}::${value[0]}`,
  )
  return { names: Object.keys(values).join(', '), places: places.join(', ') }
}
