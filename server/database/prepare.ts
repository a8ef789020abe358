/**
 * Prepared statements that number their parameters as they are written, so that nobody has to count. Each parameter
 * names its value at the place where it stands.
 */

/** A statement with its values, as the driver takes it. */
export interface Statement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Reads a parameter's value from the statement's input. */
export type Read<Input> = (input: Input) => unknown

/** Writes a parameter, as `$n`. The same function twice is the same parameter. */
export type Parameter<Input> = (read: Read<Input>) => string

/** The first parameters of a statement, from $1 on, for a shared piece of SQL that numbers its parameters itself. */
export interface Leading<Input> {
  readonly count: number
  readonly read: (input: Input) => readonly unknown[]
}

/**
 * A named statement. Its text is written once, here; each call only reads its values.
 *
 * @param name the statement's name in the database; no other text may have it
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
 * Parameters for columns: `names` is the list of column names, `places` the list of parameters in the same order.
 * Where the database cannot know a parameter's type (`unnest`), the type is given with the function that reads the
 * value.
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
