/**
 * Loads a part of the app that the first screen does not need.
 *
 * @param load the dynamic import
 * @returns null where the part is not kept on this device yet and the server cannot be reached
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part | null> {
  try {
    return await load()
  } catch (error) {
    // What browsers throw for a module that could not be fetched.
    if (error instanceof TypeError) return null
    throw error
  }
}
