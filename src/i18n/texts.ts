/** The shape of a language's texts: the keys of the Chinese ones, which are written first. */
export type Texts<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Texts<Source[Key]>
}
