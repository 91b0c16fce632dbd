/** The shape of English words, whatever they say: what the same words in another language must have. */
export type Words<English> = English extends string
  ? string
  : English extends (...given: infer Given) => infer Said
    ? (...given: Given) => Words<Said>
    : { [Key in keyof English]: Words<English[Key]> };
