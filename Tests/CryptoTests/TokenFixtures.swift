/// Keys and tokens made with the Python package `cryptography`; the private keys were thrown away.
enum TokenFixtures {
  /// An RSA key of 2048 bits.
  static let rsaPEM = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAtwsndYy0Me8XGy1I1qqY
    cs/xFto3V6dl+FmMYLvuzeA0uPHcWuAKE7YpFBUSfHknijlPseol2SdeLcMlAK9s
    VgZUDNUQQsjwlA3pgco51zo19t6b+Pw4TbPuQr9ELs8v1fcDRFfuK+a+ynU9+Q3h
    mszlGStOmsETzEdRi+iNjapjc0+gmmQzRyzx8dA3zdZTqTS9mKlvdZ+mHH8IJGF+
    1Rfq/cQlFefF91Aj0+/Tj9VoXlCMznq9EGSLlph6hLLjP/NUvcb7DakpnnGiYWAj
    J9qzPbOeWWnuTvSKqFmblNUNs2016zgmxxVsroTTX0FoCRv5Ffzn1mtEvRGkchSW
    DwIDAQAB
    -----END PUBLIC KEY-----
    """

  /// Another RSA key of 2048 bits.
  static let otherRSAPEM = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAkiAoYl5Q8Fw00IlEa0T7
    FHKu3zAoLuhpJO+/BwWyP1Y1O7yqaBez15rHwwvS/e0Q42viTTpNAeDT79echjWB
    R7eAkZNSJhwhaP69jaCpmgqXR9im/Q4qlpbB5JqNHVH/JVMt4HODVmzHDNA/ndK5
    PAnHOcP/IKEiJjRTYeTIv+lVQPrVL5TP74PAl1IEgmCDIcr5pGvbV9JtDSlzyAKR
    DzF8M+JWhxUGaz6BQYCAqQL6FqehTKNegiLqo+i1u1KheQRheOU+9tc25CqWzwPR
    qBMWUWtYrjBpb5OccxShlSO2VwWocLVAi2CeOW2XGryPGl/nbmCUeksH/jOcWjOS
    bQIDAQAB
    -----END PUBLIC KEY-----
    """

  /// An RSA key of 1024 bits.
  static let weakRSAPEM = """
    -----BEGIN PUBLIC KEY-----
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC+lcoXYQXTCnIq/as3m+0/qkEj
    1qu5cYZQIja3HjNBbeIBuEvoCI5qS3C1znJT6F/oqKQPXyVpYvY8pDB1e0BPqYGt
    MbVwg2cRk47Nr1+t1xrbgEpX8+eOwJI4nP0TNI/de48TWkUjPyW3PEZQsjkVB0a7
    TuOoj5QwSjF9tPXwOwIDAQAB
    -----END PUBLIC KEY-----
    """

  /// An EC key on P-256.
  static let ecPEM = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEFCqdUwY4uxUD9glZcrkqOMEKz+LM
    gwC/+q0LVbSxmNMlt162fSFSYJA2B1ng9H9jdioFCrnUdCEeTsmtNzGy/Q==
    -----END PUBLIC KEY-----
    """

  /// Another EC key on P-256.
  static let otherECPEM = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZULWa0yKsZAT7DIYv8cACFqI2uc3
    NEUBc/NdY2a7InqhwkbuvLqZQCdGEyHpFobXXABSF4DOCtm9SA23+B/M0w==
    -----END PUBLIC KEY-----
    """

  /// An EC key of 256 bits on another curve, secp256k1.
  static let koblitzPEM = """
    -----BEGIN PUBLIC KEY-----
    MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAERMH1HS2bd8rVWTr60n9Vukmsx1hcoB3/
    RuWRfjWihQeKppF+5oR9Z7ejoKrsa3tmYw1MidB61hgqH+5a/vfM+g==
    -----END PUBLIC KEY-----
    """

  /// An EC key on P-384.
  static let p384PEM = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEeXJUyzAb70SUsEV9UN8ghWEHBkuDUsL/
    EaPBAJ2RRq1XcA+8ARfuCTEzTrvmWOdYCJU0mxmDz/rVm/MqZx2vH+gYasSUYHVS
    eEquwG7AkVYNN1P6ec9nsuIsj9yeJDp4
    -----END PUBLIC KEY-----
    """

  /// An Ed25519 key.
  static let ed25519PEM = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAE4fMbrZPVgSsIzeHiEd8cSkYJNKxIg94gNLTppa8qKI=
    -----END PUBLIC KEY-----
    """

  /// `claims`, signed by the key of `rsaPEM`.
  static let rs256 =
    #"eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbm5hIiwiZXhwIjo0MTAyNDQ0ODAwLCJpYXQiOjE3MDAwMDAwMDB9.VRPotmvy"#
    + #"NlHZkMenjMwnerWtfBaNRIRI_Hnu-8Aa001NB3Oz_NCUujjXJI8umSs4aCJ6FpE-c63yyvNU_FdlbbagR6MhirS3ZXWZiiHLkvw_WrywQCVZE2"#
    + #"BaV6KQ526T6PAC_SqceU5IMA3ot-T9J4aK58RqzJdwcZ-1zEjgi-eLiwV88eUxZBJvsQUoix4LSkjr5uVAcWDixYELhYEfs4idhkPAC9dKepJD"#
    + #"PXEUqbAs2GYmK3KnUXlhxl5vTvHip76QJ7qT1dN2UyE7uGIOwKWc8eK_v-FEHnOE3LajXA1xMWF_-UC7nOvXIthGFdah7tsn6qNS7BOd6rQYpL"#
    + #"1CGQ"#

  /// The same, with `kid` "r".
  static let rs256Named =
    #"eyJhbGciOiJSUzI1NiIsImtpZCI6InIifQ.eyJzdWIiOiJhbm5hIiwiZXhwIjo0MTAyNDQ0ODAwLCJpYXQiOjE3MDAwMDAwMDB9.oGP-mDzgbY"#
    + #"iuOqdo3C0wjelx-RKFfLgXHY3iaKSOqAY5h6y03vSPaUQoJrrWWXmSQtoGSI5Id7vajBB3FmDKjHoZ8QQ_5tvEgw3Ed1Fx_RKc-7Orz0O3SNt5"#
    + #"S95BDPi7AOb8iDVqweYoK6bnIHzPcq4Pjl-eEbsAvO6j3naZgEalPBiG0ggtkvgeTyS-aNlajetkkNDOZKk7qJX2--YJ0faBSRiplj551LZvKS"#
    + #"flawgZALSgBt3kbS8MgZBTG9qoXPc1KdPJamrJkWtkWJdqyf7xu08GAqd8Z8f4cgRKqVy0RdWRJlaNqpWFItusrE5bGTDcdLfaPNgsvi1O2V3M"#
    + #"XA"#

  /// `claims`, signed by the key of `ecPEM`.
  static let es256 =
    #"eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm5hIiwiZXhwIjo0MTAyNDQ0ODAwLCJpYXQiOjE3MDAwMDAwMDB9.86IWETQbo_wtixD2gUL-tMlT"#
    + #"WlfF3CTKS2ncyfFFuCm92wxHHY1yeZIur6DYZpxx2uVdIMFjQjN1HIPBZM38Gw"#

  /// The same, with `kid` "e".
  static let es256Named =
    #"eyJhbGciOiJFUzI1NiIsImtpZCI6ImUifQ.eyJzdWIiOiJhbm5hIiwiZXhwIjo0MTAyNDQ0ODAwLCJpYXQiOjE3MDAwMDAwMDB9.pUxK5KHU7z"#
    + #"YQKDV9Nro0vT2G2qAMhQ8mV8SzKpj5RAofEYWe07xQtA1QJF7aC44uL5OfuEKhbljJdawNBTHaSQ"#

  /// What the tokens claim.
  static let claims =
    #"{"sub":"anna","exp":4102444800,"iat":1700000000}"#

  /// The modulus of `rsaPEM`.
  static let modulus =
    #"twsndYy0Me8XGy1I1qqYcs_xFto3V6dl-FmMYLvuzeA0uPHcWuAKE7YpFBUSfHknijlPseol2SdeLcMlAK9sVgZUDNUQQsjwlA3pgco51zo19t"#
    + #"6b-Pw4TbPuQr9ELs8v1fcDRFfuK-a-ynU9-Q3hmszlGStOmsETzEdRi-iNjapjc0-gmmQzRyzx8dA3zdZTqTS9mKlvdZ-mHH8IJGF-1Rfq_cQl"#
    + #"FefF91Aj0-_Tj9VoXlCMznq9EGSLlph6hLLjP_NUvcb7DakpnnGiYWAjJ9qzPbOeWWnuTvSKqFmblNUNs2016zgmxxVsroTTX0FoCRv5Ffzn1m"#
    + #"tEvRGkchSWDw"#

  /// The point of `ecPEM`.
  static let x =
    #"FCqdUwY4uxUD9glZcrkqOMEKz-LMgwC_-q0LVbSxmNM"#

  /// The point of `ecPEM`.
  static let y =
    #"Jbdetn0hUmCQNgdZ4PR_Y3YqBQq51HQhHk7JrTcxsv0"#

  /// The modulus of `weakRSAPEM`.
  static let weakModulus =
    #"vpXKF2EF0wpyKv2rN5vtP6pBI9aruXGGUCI2tx4zQW3iAbhL6AiOaktwtc5yU-hf6KikD18laWL2PKQwdXtAT6mBrTG1cINnEZOOza9frdca24"#
    + #"BKV_PnjsCSOJz9EzSP3XuPE1pFIz8ltzxGULI5FQdGu07jqI-UMEoxfbT18Ds"#
}
