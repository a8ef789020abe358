/**
 * The shape of a language's texts: the keys of the Chinese ones, which are written first. English may have words of its
 * own for one.
 */
export type Texts<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Texts<Source[Key]>
} & {
  readonly [Key in keyof Source & string as Source[Key] extends string ? `${Key}_one` : never]?: string
}
