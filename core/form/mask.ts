/** What stands for a value that identifies a person, where the reader has no right to it. */
export const MASK = '***'
