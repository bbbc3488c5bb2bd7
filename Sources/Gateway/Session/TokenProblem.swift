/// Why a token is not accepted, for people; never holds the token.
struct TokenProblem: Error, Equatable {
  let sentence: String
}
