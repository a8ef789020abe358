/** How the filter of a list stands in the address of its screen. */
export interface AddressFilter<Filter extends object> {
  /** What lets everything through. */
  readonly none: Filter
  /** The filter in an address; parts that are no valid filter are ignored. */
  readonly read: (address: URLSearchParams) => Filter
  /** The address with a part of the filter changed. */
  readonly write: (address: URLSearchParams, changes: Partial<Filter>) => URLSearchParams
}

/**
 * The address with some of its parameters changed; null takes one away.
 *
 * @param parameters the parameter of each part of the filter
 * @param forAll what a part is set to instead of being taken away: an address that says nothing means something else
 */
export function withParameters<Filter extends object>(
  address: URLSearchParams,
  parameters: Readonly<Record<keyof Filter, string>>,
  changes: Partial<Filter>,
  forAll: Partial<Record<keyof Filter, string>> = {},
): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const key of Object.keys(changes) as (keyof Filter)[]) {
    const value = changes[key] ?? forAll[key]
    if (typeof value === 'string') next.set(parameters[key], value)
    else next.delete(parameters[key])
  }
  return next
}
